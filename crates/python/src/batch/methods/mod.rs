//! The methods of `Batch` in Python: their names, arguments and pages. What they do is in the files
//! beside this folder.

mod arrays;
mod facts;
mod moves;
mod perft;
mod sequence;
mod sources;
