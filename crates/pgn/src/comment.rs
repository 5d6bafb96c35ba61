//! Comments, and the commands that programs write into them.

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use tabiya::Color;

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

    /// The time that the move took, from `[%emt 0:00:05]`, or as tournament programs write it:
    /// `+0.32/13 0.02s`.
    pub fn elapsed(&self) -> Option<Duration> {
        self.first("emt", time).or_else(|| self.of_program().1)
    }

    /// The evaluation of the position by an engine, from `[%eval 0.25]`.
    pub fn eval(&self) -> Option<Evaluation> {
        self.first("eval", Evaluation::from_bytes)
    }

    /// The evaluation by an engine, from `[%eval 0.25]`, or as tournament programs write it:
    /// `+0.32/13 0.02s`. There it's the mover's view, so tell who made the move before the comment.
    ///
    /// They count the plies to mate from before the move. We count moves, as in `[%eval #3]`.
    ///
    /// ```
    /// use std::time::Duration;
    /// use tabiya::Color;
    /// use tabiya_pgn::{Comment, Eval};
    ///
    /// let comment = Comment::new(b"+0.32/13 0.02s");
    /// let evaluation = comment.eval_for(Color::Black).unwrap();
    /// assert_eq!((evaluation.score, evaluation.depth), (Eval::Centipawns(-32), Some(13)));
    /// assert_eq!(comment.elapsed(), Some(Duration::from_millis(20)));
    /// assert_eq!(comment.eval(), None);
    ///
    /// let evaluation = Comment::new(b"+M5/20").eval_for(Color::White).unwrap();
    /// assert_eq!(evaluation.score, Eval::Mate(3));
    /// ```
    pub fn eval_for(&self, mover: Color) -> Option<Evaluation> {
        self.eval().or_else(|| {
            let evaluation = self.of_program().0?;
            Some(if mover == Color::White { evaluation } else { evaluation.reversed() })
        })
    }

    /// The evaluation for the mover and the time, as cutechess, fastchess, and XBoard begin their
    /// comments.
    fn of_program(&self) -> (Option<Evaluation>, Option<Duration>) {
        let text = self.text.0.trim_ascii_start();
        if !matches!(text.first(), Some(b'+' | b'-' | b'.' | b'M' | b'0'..=b'9')) {
            return (None, None);
        }
        // The rest are more facts of the search, or the end of the game.
        let first = text.split(|&byte| byte == b',').next().unwrap_or(text);
        let mut words = first.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let word = words.next().unwrap_or_default();
        match Evaluation::of_program(word) {
            Some(evaluation) => (Some(evaluation), words.next().and_then(seconds)),
            // The time of a person's move.
            None if word.ends_with(b"s") && words.next().is_none() => (None, seconds(word)),
            None => (None, None),
        }
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
            None => pawns(score.trim())?,
        };
        Some(Self { score, depth })
    }

    /// Reads `+0.32/13`, `.26/10` or `-M4/20`. Mate is in plies here.
    fn of_program(word: &[u8]) -> Option<Self> {
        let (score, depth) = str::from_utf8(word).ok()?.split_once('/')?;
        let depth = Some(number(depth.as_bytes())?.try_into().ok()?);
        let size = score.trim_start_matches(['+', '-']);
        let score = match size.strip_prefix('M') {
            Some(plies) => {
                let moves: i32 = number(plies.as_bytes())?.div_ceil(2).try_into().ok()?;
                Eval::Mate(if score.starts_with('-') { -moves } else { moves })
            }
            // Without a point it's a fraction, such as 1/2, or a date.
            None if size.contains('.') => pawns(score)?,
            None => return None,
        };
        Some(Self { score, depth })
    }

    /// The same for the other side.
    fn reversed(self) -> Self {
        let score = match self.score {
            Eval::Centipawns(centipawns) => Eval::Centipawns(-centipawns),
            Eval::Mate(moves) => Eval::Mate(-moves),
        };
        Self { score, ..self }
    }
}

/// Reads a score in pawns. The numbers of engines are short, and the standard library's reader of
/// decimals is large.
fn pawns(text: &str) -> Option<Eval> {
    let size = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (whole, fraction) = size.split_once('.').unwrap_or((size, ""));
    let is_number = size.len() <= 18 && fraction.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number || matches!(size, "" | ".") {
        return None;
    }
    let thousandths = number(format!("{whole}{fraction:0<3.3}").as_bytes())?;
    let centipawns = i32::try_from((thousandths + 5) / 10).ok()?;
    // Otherwise it's a number that no engine prints.
    let is_sane = centipawns <= 1_000_000_000;
    is_sane.then_some(Eval::Centipawns(if text.starts_with('-') {
        -centipawns
    } else {
        centipawns
    }))
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

/// Reads `1:02:03`, `1:02:03.4`, `1:02` or `1:02.03`, which begin with hours, or the seconds `3` or
/// `3.4`.
fn time(text: &[u8]) -> Option<Duration> {
    let (text, last) = match text.iter().rposition(|&byte| byte == b':') {
        Some(colon) => (&text[..colon], &text[colon + 1..]),
        None => return fractional(text),
    };
    let point = memchr::memchr(b'.', last);
    let (hours, minutes, last) = match (memchr::memchr(b':', text), point) {
        (Some(colon), _) => (&text[..colon], &text[colon + 1..], last),
        (None, Some(point)) => (text, &last[..point], &last[point + 1..]),
        (None, None) => (text, last, &b"0"[..]),
    };
    let minutes = number(hours)?.checked_mul(60)?.checked_add(number(minutes)?)?;
    Duration::from_secs(minutes.checked_mul(60)?).checked_add(fractional(last)?)
}

/// Reads seconds as tournament programs write them: `0.02s`, `12`, or minutes and seconds, `1:30`.
fn seconds(word: &[u8]) -> Option<Duration> {
    match memchr::memchr(b':', word) {
        Some(colon) => {
            let minutes = Duration::from_secs(number(&word[..colon])?.checked_mul(60)?);
            minutes.checked_add(fractional(&word[colon + 1..])?)
        }
        None => fractional(word.strip_suffix(b"s").unwrap_or(word)),
    }
}

/// Reads seconds, such as `3` or `3.4`.
fn fractional(text: &[u8]) -> Option<Duration> {
    let point = memchr::memchr(b'.', text).unwrap_or(text.len());
    let fraction = text.get(point + 1..).unwrap_or_default();
    if !fraction.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let digits = fraction.iter().chain(&[b'0'; 9]).take(9);
    let nanoseconds = digits.fold(0, |sum, digit| 10 * sum + u32::from(digit - b'0'));
    Some(Duration::new(number(&text[..point])?, nanoseconds))
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
        assert_eq!(clock("1:30"), Some(Duration::from_secs(5400)));
        assert_eq!(clock(" 1:02.03 "), Some(Duration::from_secs(3723)));
        assert_eq!(clock("90"), Some(Duration::from_secs(90)));
        assert_eq!(clock("90.1234567899"), Some(Duration::new(90, 123_456_789)));
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
    fn comments_of_tournament_programs_are_the_movers_view() {
        let read = |text: &str| {
            let comment = Comment::new(text.as_bytes());
            let milliseconds = comment.elapsed().map(|time| time.as_millis());
            let view = |mover| comment.eval_for(mover).map(|evaluation| evaluation.to_string());
            (view(Color::White), view(Color::Black), milliseconds)
        };
        let both = |white: &str, black: &str, time| (Some(white.into()), Some(black.into()), time);
        // cutechess.
        assert_eq!(read("+0.42/18 0.62s"), both("0.42,18", "-0.42,18", Some(620)));
        assert_eq!(read("0.00/1 0s, Draw by 3-fold repetition"), both("0.00,1", "0.00,1", Some(0)));
        assert_eq!(read("-M4/245 0.004s"), both("#-2,245", "#2,245", Some(4)));
        assert_eq!(read("+M1/2 0.010s, White mates"), both("#1,2", "#-1,2", Some(10)));
        assert_eq!(read("+0.31/14 0.89s\r\nb1c3 e7e6"), both("0.31,14", "-0.31,14", Some(890)));
        assert_eq!(read("6.3s"), (None, None, Some(6300)));
        assert_eq!(read("book"), (None, None, None));
        // fastchess.
        assert_eq!(read("-M5/20 0.004s, n=9000, sd=13"), both("#-3,20", "#3,20", Some(4)));
        assert_eq!(read(" +0.87/4, line=87"), both("0.87,4", "-0.87,4", None));
        assert_eq!(read("0.00/0 "), both("0.00,0", "0.00,0", None));
        // XBoard, which has minutes.
        assert_eq!(read("+.26/10 4.5"), both("0.26,10", "-0.26,10", Some(4500)));
        assert_eq!(read("-1.05/16 1:30"), both("-1.05,16", "1.05,16", Some(90_000)));
        // The command counts for White, whatever comes before.
        assert_eq!(read("+0.5/9 [%eval -2,7]"), both("-2.00,7", "-2.00,7", None));
        for other in
            ["1/2", "1/2-1/2", "12/24 3s", "+0.74", "M3", "1s before", "+-", "1.0/x", "M/1"]
        {
            assert_eq!(read(other), (None, None, None), "{other}");
        }
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
