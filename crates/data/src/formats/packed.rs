//! Our own rows of 40 bytes, big-endian as in packed positions:
//!
//! | bytes | contents |
//! | --- | --- |
//! | 0 to 31 | the packed position, see [`PackedPosition`] |
//! | 32 and 33 | the packed move, 0 if there's none |
//! | 34 and 35 | the score from the point of view of the side to move, −32768 if there's none |
//! | 36 and 37 | the plies since the start of the game |
//! | 38 | the result: 0 if Black wins, 1 for a draw, 2 if White wins, 3 if there's none |
//! | 39 | 0 |

use tabiya::{Move, PackedPosition};

use super::{Capabilities, in_range, read_result, rows};
use crate::bad::{Reason, Refused};
use crate::record::Record;

const ROW: usize = 40;
const NO_SCORE: i16 = i16::MIN;

pub(super) const CAPABILITIES: Capabilities = Capabilities {
    name: "packed",
    extensions: &["packed"],
    lacks: &[],
    header: "",
    split: rows::split::<ROW>,
};

pub(super) fn read(row: &[u8; ROW], record: &mut Record) -> Result<(), Reason> {
    let (position, rest) = row.split_first_chunk().expect("a row is longer");
    let &[m, n, s, t, p, q, result, reserved] = rest else { unreachable!("eight bytes are left") };
    let unpacked = PackedPosition::from_bytes(*position).unpack();
    record.position = unpacked.map_err(|error| Reason::Position(error.to_string()))?;
    record.mv = match [m, n] {
        [0, 0] if record.position.has_legal_move() => None,
        [0, 0] => return Err(Reason::NoLegalMove),
        bytes => {
            let mv = Move::from_bytes(bytes).filter(|&mv| record.position.is_legal(mv));
            Some(mv.ok_or_else(|| Reason::Move(format!("the move {m:02x}{n:02x} isn't legal")))?)
        }
    };
    if reserved != 0 {
        return Err(Reason::Form("the last byte of a row is 0".to_owned()));
    }
    record.ply = u16::from_be_bytes([p, q]);
    let result = match result {
        3 => Ok(None),
        byte => read_result(byte).map(Some),
    };
    let score = match i16::from_be_bytes([s, t]) {
        NO_SCORE => Ok(None),
        score => in_range(score.into()).map(Some),
    };
    // If one is bad, the record is still kept with the other.
    record.result = *result.as_ref().unwrap_or(&None);
    record.score = *score.as_ref().unwrap_or(&None);
    result.map(drop).and(score.map(drop))
}

pub(super) fn write(record: &Record, out: &mut Vec<u8>) -> Result<(), Refused> {
    out.extend_from_slice(&PackedPosition::of(&record.position).to_bytes());
    out.extend_from_slice(&record.mv.map_or([0; 2], Move::to_bytes));
    out.extend_from_slice(&record.score.unwrap_or(NO_SCORE).to_be_bytes());
    out.extend_from_slice(&record.ply.to_be_bytes());
    out.extend_from_slice(&[record.result.map_or(3, |result| result as u8), 0]);
    Ok(())
}
