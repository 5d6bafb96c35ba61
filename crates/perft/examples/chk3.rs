use tabiya::Position;
use tabiya_perft::{Engine, Isa, Options};
fn pf(p:&Position,d:u32)->u128{ if d==0 {1} else if d==1 {p.legal_moves().len() as u128} else {p.legal_moves().into_iter().map(|m|pf(&p.play(m),d-1)).sum()} }
fn find(e:&Engine,p:&Position,d:u32,n:&mut u32){ 
  let g=e.count(p,d).unwrap(); let t=pf(p,d); if g==t {return}
  let before=*n; if d>2 { for m in p.legal_moves() { find(e,&p.play(m),d-1,n); if *n>3 {return} } }
  if *n==before { println!("d{d} {g} {t} {}", p.fen()); *n+=1; } }
fn main() {
    let fen = std::env::args().nth(1).unwrap(); let d: u32 = std::env::args().nth(2).unwrap().parse().unwrap();
    let e = Engine::new(Options { isa: Isa::Avx512, ..Options::default() });
    let mut n=0; find(&e,&Position::from_fen(&fen).unwrap(),d,&mut n);
}
