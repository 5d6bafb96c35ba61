//! The versions of the file's format.

/// The version of the file's format.
pub const FORMAT: u32 = 1;

/// The version of the format of a job [by category](super::Job::by_category).
pub const CATEGORY_FORMAT: u32 = 2;
