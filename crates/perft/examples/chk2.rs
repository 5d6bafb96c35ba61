use tabiya::Position;
use tabiya_perft::{Engine, Isa, Options};
fn main() {
    let fen = std::env::args().nth(1).unwrap(); let d: u32 = std::env::args().nth(2).unwrap().parse().unwrap();
    let e = Engine::new(Options { isa: Isa::Avx512, ..Options::default() });
    let p = Position::from_fen(&fen).unwrap();
    for m in p.legal_moves() { let c = p.play(m); let g = e.perft(&c, d-1, &()).nodes; 
      fn pf(p:&Position,d:u32)->u128{ if d==0 {1} else if d==1 {p.legal_moves().len() as u128} else {p.legal_moves().into_iter().map(|m|pf(&p.play(m),d-1)).sum()} }
      let t = pf(&c,d-1); if t!=g { println!("{m} {g} {t} {}", c.fen()); } }
}
