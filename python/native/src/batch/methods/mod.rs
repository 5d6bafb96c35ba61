//! The methods of `Batch` in Python: their names, arguments and docstrings. The
//! modules of `batch` do the work.

mod arrays;
mod facts;
mod moves;
mod perft;
mod sequence;
mod sources;
mod tables;
