//! Which records of a file are taken, and what becomes of bad ones.

use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::str::FromStr;

use crate::bad::Bad;
use crate::blocks::Block;
use crate::filter::Filter;
use crate::format::Format;
use crate::record::Record;

/// What becomes of bad records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnBad {
    /// Those with a bad score or result are kept without it, others are left out.
    Keep,
    /// They're left out.
    Skip,
    /// The first one ends the work.
    Stop,
}

impl FromStr for OnBad {
    type Err = &'static str;

    fn from_str(name: &str) -> Result<Self, &'static str> {
        match name {
            "keep" => Ok(Self::Keep),
            "skip" => Ok(Self::Skip),
            "stop" => Ok(Self::Stop),
            _ => Err("expected \"skip\", \"keep\" or \"stop\""),
        }
    }
}

/// Which records are taken.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What becomes of bad records.
    pub on_bad: OnBad,
    /// The condition on records, if there is one.
    pub filter: Option<Filter>,
}

/// What was found in a part of a file.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The records that can be used: good ones, and bad ones that are kept.
    pub records: u64,
    /// Those of them that pass the filter.
    pub selected: u64,
    /// The bad records that are kept.
    pub kept: u64,
    /// The number of bad records of each kind, kept or not, and the first of them.
    pub kinds: BTreeMap<&'static str, (u64, Bad)>,
    /// The first of all bad records.
    pub first: Vec<Bad>,
    /// Has a bad record ended the work? It's the last of the first ones.
    pub is_stopped: bool,
}

impl Found {
    /// The most bad records that are described; others are only counted.
    pub const DESCRIBED: usize = 20;

    /// The number of bad records.
    pub fn bad(&self) -> u64 {
        self.kinds.values().map(|(count, _)| count).sum()
    }
}

impl AddAssign for Found {
    /// Adds what was found in the next part.
    fn add_assign(&mut self, next: Self) {
        self.records += next.records;
        self.selected += next.selected;
        self.kept += next.kept;
        for (kind, (count, first)) in next.kinds {
            self.kinds.entry(kind).or_insert((0, first)).0 += count;
        }
        let missing = Self::DESCRIBED.saturating_sub(self.first.len());
        self.first.extend(next.first.into_iter().take(missing));
        self.is_stopped |= next.is_stopped;
    }
}

impl Plan {
    /// Visits the records of a block that are taken.
    ///
    /// ```
    /// use tabiya_data::{Block, Format, OnBad, Plan};
    /// let text = "fen,move,score,result,ply\n\
    ///     4k3/8/8/8/8/8/8/4K2R w K - 0 1,e1g1,25,1-0,0\n\
    ///     4k3/8/8/8/8/8/8/4K2R w K - 0 1,h1h8,99999,1-0,0\n\
    ///     4k3/8/8/8/8/8/8/4K2R w K - 0 1,h8h9,25,1-0,0\n";
    /// let block = Block { offset: 0, bytes: text.into() };
    /// let plan = Plan { on_bad: OnBad::Keep, filter: Some("not castling".parse()?) };
    /// let mut scores = Vec::new();
    /// let found = plan.visit(Format::Csv, &block, |record| scores.push(record.score));
    /// assert_eq!(scores, [None]);
    /// assert_eq!((found.records, found.selected, found.kept, found.bad()), (2, 1, 1, 2));
    /// # Ok::<(), tabiya_data::FilterError>(())
    /// ```
    pub fn visit(&self, format: Format, block: &Block, mut visit: impl FnMut(&Record)) -> Found {
        let (mut found, mut record) = (Found::default(), Record::default());
        let mut decoder = format.decoder(block);
        loop {
            match decoder.next(&mut record) {
                Ok(false) => return found,
                Ok(true) => {}
                Err(bad) => {
                    let kept = bad.record.clone().filter(|_| self.on_bad == OnBad::Keep);
                    found.kinds.entry(bad.reason.kind()).or_insert_with(|| (0, bad.clone())).0 += 1;
                    if found.first.len() < Found::DESCRIBED {
                        found.first.push(bad);
                    }
                    if self.on_bad == OnBad::Stop {
                        found.is_stopped = true;
                        return found;
                    }
                    let Some(kept) = kept else { continue };
                    record = *kept;
                    found.kept += 1;
                }
            }
            found.records += 1;
            if self.filter.as_ref().is_none_or(|filter| filter.accepts(&record)) {
                found.selected += 1;
                visit(&record);
            }
        }
    }
}
