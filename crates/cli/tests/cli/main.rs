//! The `tabiya` command from the user's view: arguments in; output, errors and exit codes out.

mod book;
#[path = "../common/book.rs"]
mod book_bytes;
mod checkpoint;
mod compare;
mod compare_itself;
mod completions;
mod data;
mod errors;
mod explain;
mod faults;
mod frontier;
mod help;
mod interrupts;
mod measuring;
mod moves;
mod perft;
mod pgn;
mod plain;
mod program;
#[path = "../common/shell.rs"]
mod shell;
mod show;
mod suite;
#[path = "../common/syzygy.rs"]
mod syzygy;
mod tables;
mod uci;
mod waiting;
