//! The positions that are searched.

/// Middlegames, made once by random play in which no move loses material and winning captures are
/// played. They are quiet: no check, no capture that wins material, at least 24 pieces with both
/// queens, and a difference of at most a pawn.
const MIDDLEGAMES: [&str; 20] = [
    "r1bq2nr/pp1p1kbp/n1p2p2/4p1p1/2PP3P/4B3/PP1KPPP1/RN1Q1BNR w - - 1 11",
    "r4b1r/pb1pkp2/2q3pp/2p4n/3Pp2P/PPP1P1PN/2K2P2/RNBQ2R1 w - - 0 16",
    "1kqr1b1r/pp1n1ppp/3ppn2/2p5/BPP2Pb1/P3P2N/1B1P1K1P/RN3Q1R b - - 1 16",
    "1nbq2nr/r1ppp1bp/p3kp2/1p6/3P2PR/1PN1P2N/P1PQBP2/R1B1K3 b Q - 2 13",
    "r1q3r1/p1p2kpp/2n1p1bn/1p1p1p2/3P3P/1PP2PPN/PQ2P3/RN2KB1R w KQ - 5 14",
    "rnb2b1r/pp1p2pp/4p1kn/2p2p1q/P1P1P3/NP3P1P/3PQ1P1/R1B1KBNR w KQ - 0 11",
    "rn3b1r/pqp2p1p/3pknp1/1N1b3P/P2PpB2/5PP1/1PP1PK2/R1Q2BNR w - - 0 14",
    "rnbqk2r/ppp2p1p/4pn1b/3p3p/6P1/BPN2N1B/P1PPPP2/R2Q1K1R w kq - 0 12",
    "r1bq1b1r/p1n1pk2/2p2n2/1p1p1pB1/1P1P3p/P2Q1P1P/2PNPKP1/1R3BNR w - - 1 14",
    "r3k2r/pb1p1pb1/1pn2q2/2p1pn1p/P7/3BPNP1/1PPPQP1R/R1BN1K2 b kq - 4 14",
    "rnbqkbnr/2p3p1/1p1p1p2/p3p3/P2PN2p/1PB2P1P/R1P1P1P1/Q3KBNR b Kkq - 1 15",
    "1nb1kbnr/2p1p3/1p1p2pp/3Bqp2/p7/P5PN/1PP1PP1P/R1BQK2R w K - 0 15",
    "3r1b2/p1pkq1rp/np1ppp1n/6p1/1PP2PP1/P3P2P/3P1QKR/RNB3N1 w - - 0 16",
    "r1bk1b1r/p4p1p/npp2p2/q5p1/3PP2P/2P4N/PP4PR/RN1QKB2 w Q - 0 12",
    "rn1qkb2/pp1b1p2/2pppnr1/6N1/P5Pp/1PPPPP2/5K1P/RNBQ1B1R w q - 1 11",
    "rn1qkbnr/4p1pp/1pppp3/p7/1P3P1P/N1P5/P1QPPKP1/R1B2B1R b k - 1 11",
    "rnbqk1r1/p1pp1p1Q/1p2p3/7P/P4pn1/2P5/RP1PP1P1/1NB1KBR1 b q - 0 12",
    "3qkbnr/rb1pp3/5p1p/p1p3p1/PpP1P1P1/1P1P1B1P/3Q1PR1/RNB1K3 w Qk - 0 16",
    "rnb1kbnr/pp4p1/3p3p/4p3/Pqp5/R2P3N/1PP1PKPP/1NBQ1BR1 w kq - 0 13",
    "rnbbk1n1/1p1p4/1q3p2/p1p1p1pr/Q1P5/P3PP1N/1P1P3P/RNB1KB1R b q - 2 15",
];

/// The six standard positions and the middlegames, as FEN.
pub(crate) fn all() -> Vec<&'static str> {
    let standard = tabiya_suites::STANDARD.text.lines().filter(|line| !line.starts_with('#'));
    let fens = standard.filter_map(|line| line.split(" ;").next());
    fens.chain(MIDDLEGAMES).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabiya::movegen::Captures;
    use tabiya::order::see;
    use tabiya::{Color, MoveList, Position, Role};

    #[test]
    fn the_middlegames_are_quiet() {
        for fen in MIDDLEGAMES {
            let position = Position::from_fen(fen).unwrap();
            assert!(!position.is_check() && position.has_legal_move(), "{fen}");
            let captures = MoveList::of::<Captures>(&position);
            assert!(captures.iter().all(|&mv| see(&position, mv) <= 0), "{fen}");
            let board = position.board();
            assert!(board.occupied().len() >= 24, "{fen}");
            assert_eq!(board.role(Role::Queen).len(), 2, "{fen}");
            let material: i32 = board
                .iter()
                .map(|(_, piece)| {
                    let value = [100, 320, 330, 500, 900, 0][piece.role as usize];
                    if piece.color == Color::White { value } else { -value }
                })
                .sum();
            assert!(material.abs() <= 100, "{fen}");
        }
    }

    #[test]
    fn there_are_26_positions() {
        assert_eq!(all().len(), 26);
    }
}
