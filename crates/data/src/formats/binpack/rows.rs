//! Reading without checks.

use tabiya::{Board, Color, Move};

use super::decoder::Decoder;
use crate::bad::Bad;
use crate::blocks::Block;
use crate::record::{GameResult, Record};

/// The records of a block of binpack without the check that a move leaves its king safe, for loaders that trust their
/// file and need no position.
///
/// ```
/// use tabiya_data::{BinpackRows, Block, Format, GameResult, Record};
/// let e4 = Record::default().position.parse_uci("e2e4").ok();
/// let record = Record { mv: e4, score: Some(30), result: Some(GameResult::Draw), ..Record::default() };
/// let (mut bytes, mut encoder) = (Vec::new(), Format::Binpack.encoder().unwrap());
/// encoder.push(&record, &mut bytes)?;
/// encoder.finish(&mut bytes);
///
/// let block = Block { offset: 0, bytes };
/// let mut rows = BinpackRows::new(&block);
/// let row = rows.next_row()?.unwrap();
/// assert_eq!((row.board(), row.score()), (record.position.board(), Some(30)));
/// assert!(rows.next_row()?.is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct BinpackRows<'a> {
    decoder: Decoder<'a>,
    record: Record,
}

impl<'a> BinpackRows<'a> {
    /// The rows of a block.
    pub fn new(block: &'a Block) -> Self {
        Self { decoder: Decoder::new(block), record: Record::default() }
    }

    /// The next row; `None` at the end of the block.
    ///
    /// # Errors
    /// [`Bad`], without a record, for damage that shows without the check. The next call goes on after it.
    pub fn next_row(&mut self) -> Result<Option<BinpackRow<'_>>, Bad> {
        let read = self.decoder.read::<false>(&mut self.record);
        let is_read = read.map_err(|bad| Bad { record: None, ..bad })?;
        Ok(is_read.then_some(BinpackRow(&self.record)))
    }
}

/// A record of [`BinpackRows`]. Its position needn't be playable, so only what it's made of can be seen.
#[derive(Clone, Copy, Debug)]
pub struct BinpackRow<'a>(&'a Record);

impl BinpackRow<'_> {
    /// The pieces.
    #[inline]
    pub fn board(&self) -> &Board {
        self.0.position.board()
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.0.position.turn()
    }

    /// The move played.
    #[inline]
    pub fn mv(&self) -> Move {
        self.0.mv.expect("each record of binpack has one")
    }

    /// The score of the side to move.
    #[inline]
    pub fn score(&self) -> Option<i16> {
        self.0.score
    }

    /// The result of the game.
    #[inline]
    pub fn result(&self) -> GameResult {
        self.0.result.expect("each record of binpack has one")
    }

    /// The plies since the start of the game.
    #[inline]
    pub fn ply(&self) -> u16 {
        self.0.ply
    }
}
