//! Comments, and the commands that programs write into them.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use crate::mark::Mark;
use crate::text::{Text, ends_line};

/// A comment: `{in braces}`, or from a semicolon to the end of the line.
///
/// Programs write commands into comments, such as `[%clk 0:03:00]` and `[%eval -1.5]`.
///
/// ```
/// use std::time::Duration;
/// use tabiya_pgn::{Comment, Eval};
///
/// let comment = Comment::new(b"[%eval #-3,18] [%clk 1:02:03.4] sad");
/// assert_eq!(comment.clock(), Some(Duration::from_millis(3_723_400)));
/// assert_eq!(comment.eval().unwrap().score, Eval::Mate(-3));
/// assert_eq!(comment.eval().unwrap().depth, Some(18));
/// assert_eq!(comment.commands().count(), 2);
/// assert_eq!(comment.without_commands(), "sad");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Comment<'a> {
    /// The text between the braces, or after the semicolon, byte by byte.
    pub text: Text<'a>,
    /// Does it begin with a semicolon and end with the line?
    pub is_line: bool,
}

impl<'a> Comment<'a> {
    /// A comment in braces.
    pub const fn new(text: &'a [u8]) -> Self {
        Self { text: Text(text), is_line: false }
    }

    /// The text with a space in place of each line break: programs break the lines of long
    /// comments.
    pub fn unwrapped(&self) -> Cow<'a, [u8]> {
        let bytes = self.text.0;
        if memchr::memchr2(b'\n', b'\r', bytes).is_none() {
            return Cow::Borrowed(bytes);
        }
        let mut plain = Vec::with_capacity(bytes.len());
        for (index, &byte) in bytes.iter().enumerate() {
            match byte {
                b'\n' | b'\r' if ends_line(&bytes[index..], true) == Some(true) => plain.push(b' '),
                b'\n' | b'\r' => {}
                _ => plain.push(byte),
            }
        }
        Cow::Owned(plain)
    }

    /// The commands: `[%name argument]`.
    pub fn commands(&self) -> Commands<'a> {
        Commands { rest: self.text.0 }
    }

    /// The argument of the first command of this name.
    pub fn command(&self, name: &str) -> Option<Text<'a>> {
        self.commands().find(|command| command.name == *name).map(|command| command.argument)
    }

    /// The time that the player has left, from `[%clk 1:02:03]`.
    pub fn clock(&self) -> Option<Duration> {
        self.first("clk", time)
    }

    /// The time that the move took, from `[%emt 0:00:05]`.
    pub fn elapsed(&self) -> Option<Duration> {
        self.first("emt", time)
    }

    /// The evaluation of the position by an engine, from `[%eval 0.25]`.
    pub fn eval(&self) -> Option<Evaluation> {
        self.first("eval", Evaluation::from_bytes)
    }

    /// The first argument of a command of this name that can be read.
    fn first<T>(&self, name: &str, read: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
        let mut commands = self.commands().filter(|command| command.name == *name);
        commands.find_map(|command| read(command.argument.0))
    }

    /// The coloured squares and arrows, from `[%csl Rd4,Ge5]` and `[%cal Gg1f3]`. What cannot be
    /// read is left out.
    pub fn marks(&self) -> impl Iterator<Item = Mark> + use<'a> {
        let is_mark = |command: &Command<'_>| matches!(command.name.0, b"csl" | b"cal");
        self.commands().filter(is_mark).flat_map(|command| {
            command.argument.0.split(|&byte| byte == b',').filter_map(Mark::from_bytes)
        })
    }

    /// The text without the commands of these names.
    ///
    /// ```
    /// use tabiya_pgn::Comment;
    /// let comment = Comment::new(b"[%clk 0:01:02] good [%emt 0:00:05] move [%eval 0.3]");
    /// assert_eq!(comment.without(&["clk", "emt"]), "good move [%eval 0.3]");
    /// ```
    pub fn without(&self, names: &[&str]) -> String {
        self.with_commands(|command| match names.iter().any(|name| command.name == *name) {
            true => Some(String::new()),
            false => None,
        })
    }

    /// The text with other commands: `edit` gives the text for a command, an empty one to remove
    /// it, `None` to keep it.
    pub(crate) fn with_commands(
        &self,
        mut edit: impl FnMut(&Command<'_>) -> Option<String>,
    ) -> String {
        let mut text = Vec::new();
        let mut rest = self.text.0;
        while let Some((before, command, after)) = split_command(rest) {
            let whole = &rest[before.len()..rest.len() - after.len()];
            text.extend_from_slice(before);
            rest = after;
            let edited = edit(&command);
            // One space remains where a command between two is removed.
            let is_removed = edited.as_ref().is_some_and(String::is_empty);
            if is_removed && (text.is_empty() || text.ends_with(b" ")) {
                rest = after.trim_ascii_start();
            }
            match edited {
                Some(new) => text.extend_from_slice(new.as_bytes()),
                None => text.extend_from_slice(whole),
            }
        }
        text.extend_from_slice(rest);
        Text(text.trim_ascii()).decode().into_owned()
    }

    /// The text for people: without commands, on one line.
    pub fn without_commands(&self) -> String {
        let mut text = Vec::new();
        let mut rest = self.text.0;
        while let Some((before, _, after)) = split_command(rest) {
            text.extend_from_slice(before);
            rest = after;
        }
        text.extend_from_slice(rest);
        let text = Text(&text).decode();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

/// A command in a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Command<'a> {
    /// The name, such as `clk`.
    pub name: Text<'a>,
    /// The text after the name, without the white space around it.
    pub argument: Text<'a>,
}

impl Command<'_> {
    /// The argument as a time, such as `1:02:03` or `0:00:59.5`.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tabiya_pgn::Comment;
    /// let clock = Comment::new(b"[%clk 0:01:02]").commands().next().unwrap();
    /// assert_eq!(clock.time(), Some(Duration::from_secs(62)));
    /// ```
    pub fn time(&self) -> Option<Duration> {
        time(self.argument.0)
    }
}

/// The commands of a comment.
#[derive(Clone, Debug)]
pub struct Commands<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Commands<'a> {
    type Item = Command<'a>;

    fn next(&mut self) -> Option<Command<'a>> {
        let (_, command, after) = split_command(self.rest)?;
        self.rest = after;
        Some(command)
    }
}

/// The text before the first command, the command, and the text after it.
fn split_command(text: &[u8]) -> Option<(&[u8], Command<'_>, &[u8])> {
    // Comments are short and have few brackets.
    let begin = memchr::memchr_iter(b'[', text).find(|&at| text.get(at + 1) == Some(&b'%'))?;
    let inside = &text[begin + 2..];
    let end = memchr::memchr(b']', inside)?;
    let (inside, after) = (&inside[..end], &inside[end + 1..]);
    let name = inside.iter().position(u8::is_ascii_whitespace).unwrap_or(end);
    let argument = inside[name..].trim_ascii();
    Some((
        &text[..begin],
        Command { name: inside[..name].into(), argument: argument.into() },
        after,
    ))
}

/// An evaluation by an engine, from White's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Evaluation {
    /// The score.
    pub score: Eval,
    /// The depth of the search in plies, if it is given.
    pub depth: Option<u32>,
}

/// A score from White's point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Eval {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// Mate in this number of moves; a negative number if Black mates.
    Mate(i32),
}

impl Evaluation {
    /// Reads an evaluation, such as `0.25`, `-1.5,20` or `#-3`.
    ///
    /// ```
    /// use tabiya_pgn::{Eval, Evaluation};
    /// let evaluation = Evaluation::from_bytes(b"-1.5,20").unwrap();
    /// assert_eq!(evaluation, Evaluation { score: Eval::Centipawns(-150), depth: Some(20) });
    /// assert_eq!(Evaluation::from_bytes(b"good"), None);
    /// ```
    pub fn from_bytes(text: &[u8]) -> Option<Self> {
        let text = str::from_utf8(text).ok()?;
        let (score, depth) = match text.split_once(',') {
            Some((score, depth)) => (score, Some(depth.trim().parse().ok()?)),
            None => (text, None),
        };
        let score = match score.strip_prefix('#') {
            Some(mate) => Eval::Mate(mate.parse().ok()?),
            None => {
                let pawns: f64 = score.trim().parse().ok()?;
                let centipawns = (100.0 * pawns).round();
                // This is not a number, or a number that no engine prints.
                if !(-1e9..=1e9).contains(&centipawns) {
                    return None;
                }
                Eval::Centipawns(centipawns as i32)
            }
        };
        Some(Self { score, depth })
    }
}

/// The form that [`Evaluation::from_bytes`] reads.
impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score {
            Eval::Mate(moves) => write!(f, "#{moves}")?,
            Eval::Centipawns(centipawns) => {
                let sign = if centipawns < 0 { "-" } else { "" };
                let size = centipawns.unsigned_abs();
                write!(f, "{sign}{}.{:02}", size / 100, size % 100)?;
            }
        }
        match self.depth {
            Some(depth) => write!(f, ",{depth}"),
            None => Ok(()),
        }
    }
}

/// A time as commands in comments give it: `1:02:03`, with as many digits after a point as it
/// needs.
///
/// ```
/// use std::time::Duration;
/// use tabiya_pgn::{Comment, clock_text};
///
/// let time = Duration::from_millis(3_723_050);
/// assert_eq!(clock_text(time), "1:02:03.05");
/// let comment = format!("[%clk {}]", clock_text(time));
/// assert_eq!(Comment::new(comment.as_bytes()).clock(), Some(time));
/// ```
pub fn clock_text(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let mut text = format!("{hours}:{minutes:02}:{seconds:02}");
    if time.subsec_nanos() > 0 {
        let fraction = format!(".{:09}", time.subsec_nanos());
        text.push_str(fraction.trim_end_matches('0'));
    }
    text
}

/// Reads `1:02:03`, `1:02:03.4`, `02:03` or `3`.
fn time(text: &[u8]) -> Option<Duration> {
    let point = memchr::memchr(b'.', text);
    let whole = &text[..point.unwrap_or(text.len())];
    let fraction = point.map_or(&[][..], |point| &text[point + 1..]);
    let mut seconds = 0u64;
    let mut parts = 0;
    for part in whole.split(|&byte| byte == b':') {
        seconds = seconds.checked_mul(60)?.checked_add(number(part)?)?;
        parts += 1;
    }
    if parts > 3 || !fraction.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let mut nanoseconds = 0;
    let mut unit = 100_000_000;
    for digit in fraction.iter().take(9) {
        nanoseconds += u32::from(digit - b'0') * unit;
        unit /= 10;
    }
    Some(Duration::new(seconds, nanoseconds))
}

/// Reads a number without a sign.
fn number(digits: &[u8]) -> Option<u64> {
    let digit = |byte: &u8| byte.is_ascii_digit().then(|| u64::from(byte - b'0'));
    let add = |sum: u64, byte| sum.checked_mul(10)?.checked_add(digit(byte)?);
    if digits.is_empty() { None } else { digits.iter().try_fold(0, add) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_in_every_form() {
        let clock = |text: &str| Comment::new(format!("[%clk {text}]").as_bytes()).clock();
        assert_eq!(clock("0:03:00"), Some(Duration::from_secs(180)));
        assert_eq!(clock(" 10:00 "), Some(Duration::from_secs(600)));
        assert_eq!(clock("0:00:00.05"), Some(Duration::from_millis(50)));
        assert_eq!(clock("100:00:00"), Some(Duration::from_secs(360_000)));
        for wrong in ["", ":", "1:2:3:4", "-1:00", "1:0x", "99999999999999999999", "1.x"] {
            assert_eq!(clock(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_command_that_cannot_be_read_hides_no_other() {
        let comment =
            Comment::new(b"[%clk x][%clk 0:01:00][%eval x] [%eval 0.5][%eval 1] [%emt][%emt 5]");
        assert_eq!(comment.clock(), Some(Duration::from_secs(60)));
        assert_eq!(comment.elapsed(), Some(Duration::from_secs(5)));
        assert_eq!(comment.eval(), Evaluation::from_bytes(b"0.5"));
    }

    #[test]
    fn unknown_commands_are_kept() {
        let comment = Comment::new(b" a [%csl Rd4,Ge5][%foo] b [%clk 0:00:01");
        let commands: Vec<_> = comment.commands().collect();
        assert_eq!(commands.len(), 2);
        assert_eq!((commands[0].name, commands[0].argument), ("csl".into(), "Rd4,Ge5".into()));
        assert_eq!((commands[1].name, commands[1].argument), ("foo".into(), "".into()));
        assert_eq!(comment.without_commands(), "a b [%clk 0:00:01");
        assert_eq!(comment.clock(), None);
    }

    #[test]
    fn evaluations_without_meaning_are_none() {
        for wrong in ["", "#", "#x", "nan", "inf", "1e300", "1,", "1,x"] {
            assert_eq!(Evaluation::from_bytes(wrong.as_bytes()), None, "{wrong}");
        }
        let mate = Evaluation::from_bytes(b"#2").unwrap();
        assert_eq!(mate, Evaluation { score: Eval::Mate(2), depth: None });
    }

    #[test]
    fn broken_lines_are_joined() {
        assert_eq!(*Comment::new(b"a\r\nb\nc\rd\r\r\ne").unwrapped(), *b"a b c d e");
        assert!(matches!(Comment::new(b"a b").unwrapped(), Cow::Borrowed(_)));
    }
}
