//! Counting, comparing, layers, slider methods and endgame tables.

mod calculator;
mod comparison;
mod methods;
mod perft;
mod pictures;
mod tables;
