//! The faulty program as a generator. It answers every question in one process, as if each question
//! had its own.
//!
//! A hunt in a script spends most of its time starting processes: a hundred thousand, if every
//! fault is hunted through every protocol. This generator gives the answers of a script in a tenth
//! of the time.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use tabiya_compare::{Divide, Generator, Protocol, Query, Trouble, read_divide};

use crate::program::faulty;

/// The faulty program, which forgets everything before each question.
#[derive(Debug)]
pub(crate) struct Resident {
    /// The protocol of the script that it replaces.
    protocol: Protocol,
    dialogue: RefCell<Dialogue>,
}

/// A process and its pipes.
#[derive(Debug)]
struct Dialogue {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Resident {
    /// Starts the program with these arguments, to answer like a script of this protocol.
    pub(crate) fn start(arguments: &[String], protocol: Protocol) -> Self {
        let mut child = Command::new(faulty())
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the faulty program runs");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        Self { protocol, dialogue: RefCell::new(Dialogue { child, input, output }) }
    }

    /// The program's output for a question.
    ///
    /// # Errors
    /// The program does not understand the question. A script would end with an error.
    pub(crate) fn text(&self, fen: &str, moves: &[String], depth: u32) -> Result<String, Trouble> {
        let Dialogue { input, output, .. } = &mut *self.dialogue.borrow_mut();
        let moves = moves.join(" ");
        let question =
            format!("ucinewgame\nposition fen {fen} moves {moves}\ngo perft {depth}\nisready\n");
        input.write_all(question.as_bytes()).expect("the program listens");
        let (mut text, mut complaint) = (String::new(), None);
        loop {
            let begin = text.len();
            assert!(output.read_line(&mut text).expect("UTF-8") > 0, "it ended after: {text}");
            let line = text[begin..].trim_end();
            if let Some(said) = line.strip_prefix("info string ") {
                complaint = Some(Trouble::Crash(said.to_owned()));
            }
            if line == "readyok" {
                text.truncate(begin);
                return complaint.map_or(Ok(text), Err);
            }
        }
    }

    fn ask(&self, query: &Query, depth: u32) -> Result<Divide, Trouble> {
        self.text(&query.fen, &query.moves, depth).and_then(|text| {
            read_divide(&text).map_err(|error| Trouble::Garbage(error.to_string()))
        })
    }
}

impl Generator for Resident {
    fn perft(&self, query: &Query) -> Result<u128, Trouble> {
        match self.protocol {
            Protocol::Moves => Err(Trouble::Unsupported),
            _ => self.ask(query, query.depth).map(|divide| divide.count()),
        }
    }

    fn divide(&self, query: &Query) -> Result<Divide, Trouble> {
        match self.protocol {
            Protocol::Total | Protocol::Moves => Err(Trouble::Unsupported),
            _ => self.ask(query, query.depth),
        }
    }

    fn moves(&self, query: &Query) -> Result<Vec<String>, Trouble> {
        match self.protocol {
            Protocol::Total => Err(Trouble::Unsupported),
            _ => Ok(self.ask(query, 1)?.moves.into_iter().map(|(mv, _)| mv).collect()),
        }
    }
}

impl Drop for Dialogue {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
