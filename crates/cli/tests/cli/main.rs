//! The `tabiya` command as its users meet it: arguments in; output, errors and exit codes out.

mod documented;
mod errors;
mod explain;
mod frontier;
mod help;
mod interrupts;
mod long_run;
mod measuring;
mod moves;
mod perft;
mod program;
mod readme;
mod shell;
mod show;
mod suite;
mod uci;
