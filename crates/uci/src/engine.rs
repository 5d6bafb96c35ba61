//! An engine: its process, its options and its searches.

use std::fmt::Display;
use std::time::{Duration, Instant};

use tabiya::{CastlingMode, Game};

use crate::error::{self, Error};
use crate::limit::Limit;
use crate::option::{EngineOption, OptionKind};
use crate::process::{Event, Log, MAX_ANSWER, MAX_LINE, Process};
use crate::search::{Found, Search, Step};

/// The options that searches set.
const LINES: &str = "MultiPV";
const CHESS960: &str = "UCI_Chess960";

/// How long an engine may take, and who hears about it.
///
/// ```no_run
/// use std::time::Duration;
/// use tabiya_uci::Settings;
/// let settings = Settings { timeout: Duration::from_secs(60), ..Settings::default() };
/// let engine = settings.start(&["lc0".to_owned()])?;
/// # Ok::<(), tabiya_uci::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Settings {
    /// The time for everything but a search: to start, to be ready, to stop; and what a search may take
    /// longer than its clock says before we stop it. Ten seconds.
    pub timeout: Duration,
    /// The time after which a search is stopped that no time limits: one to a depth, or one without end.
    /// An hour.
    pub search_timeout: Duration,
    /// Where the dialogue is written: nowhere.
    pub log: Log,
    /// Asked every 50 ms of a wait whether to give up, with [`Error::Interrupted`]: never.
    pub interrupt: fn() -> bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(10),
            search_timeout: Duration::from_secs(3600),
            log: Log::default(),
            interrupt: || false,
        }
    }
}

impl Settings {
    /// Starts an engine: a path or name, and its arguments.
    ///
    /// # Errors
    /// It can't be started, or doesn't speak UCI.
    pub fn start(self, command: &[String]) -> Result<Engine, Error> {
        let process = Process::start(command, &self.log);
        let process = process.map_err(|error| Error::Start(error.to_string()))?;
        let mut engine = Engine {
            process: Ok(process),
            settings: self,
            name: String::new(),
            options: Vec::new(),
            search: None,
            owed: 0,
            lines: 1,
            is_chess960: false,
            last: String::new(),
        };
        engine.greet()?;
        Ok(engine)
    }
}

/// The end of a wait.
#[derive(Clone, Debug)]
pub(crate) struct Deadline {
    awaited: &'static str,
    limit: Duration,
    /// What is left of the limit. Time in which this process didn't run isn't taken from it.
    left: Duration,
    /// The moment after which an engine that prints without end is late.
    until: Option<Instant>,
    /// The bytes that came after that.
    late: usize,
    /// Is the engine killed at the end, not only stopped?
    kills: bool,
}

impl Deadline {
    fn new(awaited: &'static str, limit: Duration) -> Self {
        let until = Instant::now().checked_add(limit);
        Self { awaited, limit, left: limit, until, late: 0, kills: true }
    }

    const fn is_over(&self) -> bool {
        self.left.is_zero() || self.late > MAX_ANSWER
    }
}

/// A running engine. It's killed when this is dropped.
///
/// See the [crate](crate) for an example.
#[derive(Debug)]
pub struct Engine {
    /// The process, or why it was ended.
    process: Result<Process, Error>,
    settings: Settings,
    name: String,
    options: Vec<EngineOption>,
    search: Option<Search>,
    /// The number of answers to `isready` that have not come.
    owed: usize,
    /// What the options of searches are set to.
    lines: usize,
    is_chess960: bool,
    /// The last line that was heard.
    last: String,
}

impl Engine {
    /// Starts an engine with the usual [`Settings`]: a path or name, and its arguments.
    ///
    /// # Errors
    /// It can't be started, or doesn't speak UCI.
    pub fn start(command: &[String]) -> Result<Self, Error> {
        Settings::default().start(command)
    }

    /// The engine's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The engine's options, in its order.
    pub fn options(&self) -> &[EngineOption] {
        &self.options
    }

    /// Sets an option, by exactly the name that the engine gave it, to what UCI writes: `true` or
    /// `false`, a number, a text, and nothing, `""`, for a button. Searches set `MultiPV` and
    /// `UCI_Chess960` themselves.
    ///
    /// # Errors
    /// [`Error::Argument`]: there's no such option, or it doesn't take this value.
    ///
    /// ```no_run
    /// let mut engine = tabiya_uci::Engine::start(&["stockfish".to_owned()])?;
    /// engine.set_option("Threads", 2)?;
    /// engine.set_option("Clear Hash", "")?;
    /// # Ok::<(), tabiya_uci::Error>(())
    /// ```
    pub fn set_option(&mut self, name: &str, value: impl Display) -> Result<(), Error> {
        if [LINES, CHESS960].contains(&name) {
            let reason = format!("searches set {name}, from their number of lines and position");
            return Err(Error::Argument(reason));
        }
        self.set(name, &value.to_string())
    }

    /// Tells the engine that the next search is of another game.
    ///
    /// # Errors
    /// The engine failed.
    pub fn new_game(&mut self) -> Result<(), Error> {
        self.settle()?;
        self.say("ucinewgame")?;
        self.wait_until_ready()
    }

    /// Searches the last position of a game for a move. The engine learns the moves before, for
    /// repetitions; a position alone is `Game::from_position`.
    ///
    /// # Errors
    /// [`Error::Argument`] if nothing limits the search; the engine failed.
    pub fn play(&mut self, game: &Game, limit: &Limit) -> Result<Found, Error> {
        self.analyse(game, limit, 1)
    }

    /// Searches for the best lines, as many as there are moves at most.
    ///
    /// # Errors
    /// [`Error::Argument`] if nothing limits the search, or the engine can't search several lines; the
    /// engine failed.
    ///
    /// ```no_run
    /// # use tabiya::Game;
    /// # use tabiya_uci::{Engine, Limit};
    /// let mut engine = Engine::start(&["stockfish".to_owned()])?;
    /// let found = engine.analyse(&Game::new(), &Limit::depth(12), 3)?;
    /// assert!(found.lines[0].score >= found.lines[2].score);
    /// # Ok::<(), tabiya_uci::Error>(())
    /// ```
    pub fn analyse(&mut self, game: &Game, limit: &Limit, lines: usize) -> Result<Found, Error> {
        if *limit == Limit::default() {
            let reason = "nothing limits the search, so it wouldn't end";
            return Err(Error::Argument(reason.to_owned()));
        }
        self.begin(game, limit, lines)?;
        loop {
            if let Some(Step::Done(found)) = self.poll(Duration::MAX)? {
                return Ok(found);
            }
        }
    }

    /// Begins a search, and leaves what the engine says to [`poll`](Self::poll). Without a limit it goes
    /// on until it's [stopped](Self::stop). A search that still goes on is stopped, and its result dropped.
    ///
    /// # Errors
    /// [`Error::Argument`] if the engine can't search several lines; the engine failed.
    pub fn begin(&mut self, game: &Game, limit: &Limit, lines: usize) -> Result<(), Error> {
        let position = game.position();
        let go = limit.command(position.turn())?;
        self.settle()?;
        let is_chess960 = position.castling_mode() == CastlingMode::Chess960;
        if is_chess960 != self.is_chess960 {
            self.set(CHESS960, &is_chess960.to_string())?;
            self.is_chess960 = is_chess960;
        }
        if lines != self.lines {
            self.set(LINES, &lines.to_string())?;
            self.lines = lines;
        }
        let mut setup = format!("position fen {}", game.start().fen());
        for (number, (before, &mv)) in game.positions().iter().zip(game.moves()).enumerate() {
            setup += if number == 0 { " moves " } else { " " };
            setup += &before.uci(mv).to_string();
        }
        self.say(&setup)?;
        self.wait_until_ready()?;
        self.say(&go)?;
        let limit = match limit.longest(position.turn()) {
            Some(time) => time.saturating_add(self.settings.timeout),
            None => self.settings.search_timeout,
        };
        let deadline = Deadline { kills: false, ..Deadline::new("bestmove", limit) };
        self.search = Some(Search::new(position.clone(), lines, deadline));
        Ok(())
    }

    /// Waits at most this long for the next line about the search, or its end; `None` if none came.
    ///
    /// # Errors
    /// [`Error::Argument`] if there is no search; the engine failed.
    ///
    /// ```no_run
    /// # use std::time::Duration;
    /// # use tabiya::Game;
    /// # use tabiya_uci::{Engine, Limit, Step};
    /// let mut engine = Engine::start(&["stockfish".to_owned()])?;
    /// engine.begin(&Game::new(), &Limit::default(), 1)?;
    /// let found = loop {
    ///     match engine.poll(Duration::from_secs(1))? {
    ///         Some(Step::Done(found)) => break found,
    ///         Some(Step::Info(info)) if info.depth < Some(20) => println!("{:?}", info.pv),
    ///         Some(Step::Info(_)) => engine.stop(),
    ///         None => println!("still thinking"),
    ///     }
    /// };
    /// # Ok::<(), tabiya_uci::Error>(())
    /// ```
    pub fn poll(&mut self, wait: Duration) -> Result<Option<Step>, Error> {
        let Some(mut search) = self.search.take() else {
            return Err(Error::Argument("there is no search to wait for".to_owned()));
        };
        let step = match self.hear(&mut search.deadline, wait) {
            Ok(Some(line)) => search.read(&line).map_err(|error| self.lose(error)),
            Ok(None) => Ok(None),
            Err(error) => Err(error),
        };
        if !matches!(step, Ok(Some(Step::Done(_)))) && self.process.is_ok() {
            let is_over = search.deadline.is_over();
            self.search = Some(search);
            if is_over {
                self.stop();
            }
        }
        step
    }

    /// Asks the engine to stop its search, if there is one. The end comes by [`poll`](Self::poll), or is
    /// waited for by the next search.
    pub fn stop(&mut self) {
        if let (Some(search), Ok(process)) = (&mut self.search, &mut self.process)
            && !search.is_stopped
        {
            process.say("stop");
            search.deadline = Deadline::new("bestmove after stop", self.settings.timeout);
            search.is_stopped = true;
        }
    }

    /// Tells the engine to quit, and waits for that until [`Settings::timeout`]. Then it's killed.
    pub fn quit(&mut self) {
        if let Ok(process) = &mut self.process {
            process.say("stop");
            process.say("quit");
            process.close();
        }
        let mut deadline = Deadline::new("end", self.settings.timeout);
        // It ends with an error: the end of the process, or that of our patience.
        while self.hear(&mut deadline, Duration::MAX).is_ok() {}
        self.lose(Error::Argument("it was told to quit".to_owned()));
    }

    /// Hears the name and the options.
    fn greet(&mut self) -> Result<(), Error> {
        self.say("uci")?;
        let mut deadline = Deadline::new("uciok", self.settings.timeout);
        loop {
            let Some(line) = self.hear(&mut deadline, Duration::MAX)? else { continue };
            let line = line.trim();
            if let Some(name) = line.strip_prefix("id name ") {
                name.trim().clone_into(&mut self.name);
            } else if line.starts_with("option ") {
                let option = EngineOption::parse(line).map_err(|error| self.lose(error))?;
                self.options.push(option);
            } else if line == "uciok" {
                break;
            }
        }
        if let Some(OptionKind::Spin { default, .. }) = self.option(LINES).map(|it| &it.kind) {
            self.lines = usize::try_from(*default).unwrap_or(0);
        }
        self.wait_until_ready()
    }

    fn option(&self, name: &str) -> Option<&EngineOption> {
        self.options.iter().find(|option| option.name == name)
    }

    fn set(&mut self, name: &str, value: &str) -> Result<(), Error> {
        let option = self.option(name).ok_or_else(|| {
            let names: Vec<_> = self.options.iter().map(|option| &*option.name).collect();
            let names = if names.is_empty() { "none at all".to_owned() } else { names.join(", ") };
            Error::Argument(format!("the engine has no option {name}, but {names}"))
        })?;
        let command = option.command(value)?;
        self.settle()?;
        self.say(&command)
    }

    /// Waits until the engine has read everything, and drops what it says until then.
    fn wait_until_ready(&mut self) -> Result<(), Error> {
        self.say("isready")?;
        self.owed += 1;
        let mut deadline = Deadline::new("readyok", self.settings.timeout);
        while self.owed > 0 {
            let line = self.hear(&mut deadline, Duration::MAX)?;
            self.owed -= usize::from(line.is_some_and(|line| line.trim() == "readyok"));
        }
        Ok(())
    }

    /// Waits until there is no search, and drops its result.
    fn settle(&mut self) -> Result<(), Error> {
        self.stop();
        while self.search.is_some() {
            self.poll(Duration::MAX)?;
        }
        Ok(())
    }

    fn say(&mut self, line: &str) -> Result<(), Error> {
        self.process.as_mut().map_err(|gone| gone.clone())?.say(line);
        Ok(())
    }

    /// Hears a line, for this long at most; `None` if none came.
    fn hear(&mut self, deadline: &mut Deadline, wait: Duration) -> Result<Option<String>, Error> {
        let process = self.process.as_mut().map_err(|gone| gone.clone())?;
        let most = deadline.left.min(wait);
        let mut rest = most;
        let event = process.hear(&mut rest, &self.settings.interrupt);
        deadline.left = deadline.left.saturating_sub(most - rest);
        match event {
            Event::Line(line) => {
                self.last = error::cut(&line);
                if line.len() >= MAX_LINE {
                    let reason = format!("a line of more than {} KiB", MAX_LINE >> 10);
                    return Err(self.lose(Error::protocol(&line, reason)));
                }
                if deadline.until.is_some_and(|until| Instant::now() > until) {
                    deadline.late += line.len() + 1;
                }
                if deadline.late > MAX_ANSWER && deadline.kills {
                    return Err(self.late(deadline));
                }
                Ok(Some(line))
            }
            Event::Silence if deadline.is_over() && deadline.kills => Err(self.late(deadline)),
            Event::Silence => Ok(None),
            Event::Stop => Err(Error::Interrupted),
            Event::End => {
                let (awaited, exit) = (deadline.awaited, process.ended());
                Err(self.lose(Error::Ended { awaited, exit }))
            }
        }
    }

    fn late(&mut self, deadline: &Deadline) -> Error {
        let Deadline { awaited, limit, .. } = *deadline;
        self.lose(Error::TimedOut { awaited, limit, last: self.last.clone() })
    }

    /// Kills the engine for this error, which is returned.
    fn lose(&mut self, error: Error) -> Error {
        self.process = Err(Error::Gone(error.to_string()));
        self.search = None;
        error
    }
}
