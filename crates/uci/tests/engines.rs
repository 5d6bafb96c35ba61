//! Engines that behave, and engines that don't: shell scripts that hang, crash and print nonsense.
#![cfg(unix)]

use std::io::{self, Write};
use std::panic::resume_unwind;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use tabiya::{Color, Game, Position};
use tabiya_uci::process::Log;
use tabiya_uci::{
    Bound, Engine, EngineOption, Error, Found, Info, Limit, OptionKind, Score, Settings, Step,
};

const SHORT: Duration = Duration::from_millis(100);
/// For an answer that doesn't come, from an engine that has answered before.
const LONGER: Duration = Duration::from_secs(5);
/// For an answer that comes.
const LONG: Duration = Duration::from_secs(300);

/// Does something that must not wait for ever.
fn watched<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, done) = sync_channel(1);
    let worker = thread::spawn(move || sender.send(work()));
    match done.recv_timeout(Duration::from_secs(600)) {
        Ok(result) => result,
        Err(RecvTimeoutError::Timeout) => panic!("it hangs"),
        Err(RecvTimeoutError::Disconnected) => match worker.join() {
            Err(failure) => resume_unwind(failure),
            Ok(_) => unreachable!("it has sent its result"),
        },
    }
}

fn shell(script: &str) -> Vec<String> {
    ["sh", "-c", script].map(str::to_owned).to_vec()
}

/// An engine that does this on some commands, such as `go*) echo bestmove e2e4;;`.
fn fake(commands: &str) -> Vec<String> {
    shell(&format!(
        "while read -r line; do case \"$line\" in
            {commands}
            uci) echo id name Fake; echo id author Nobody At All; echo uciok;;
            isready) echo readyok;;
            quit) exit 0;;
        esac; done"
    ))
}

fn patient() -> Settings {
    Settings { timeout: LONG, ..Settings::default() }
}

fn start(commands: &str) -> Engine {
    patient().start(&fake(commands)).expect("it starts")
}

fn depth_one() -> Limit {
    Limit::depth(1)
}

/// The result of a search by an engine that does this on `go`.
fn search(commands: &str, settings: Settings) -> Result<Found, Error> {
    let command = fake(commands);
    watched(move || {
        let mut engine = settings.start(&command)?;
        let result = engine.play(&Game::new(), &depth_one());
        if let Err(error) = &result {
            let gone = engine.play(&Game::new(), &depth_one());
            assert_eq!(gone, Err(Error::Gone(error.to_string())));
            engine.quit();
        }
        result
    })
}

fn quick_search(commands: &str) -> Result<Found, Error> {
    search(commands, Settings { search_timeout: SHORT, timeout: LONGER, ..patient() })
}

#[test]
fn what_does_not_start_is_an_error() {
    let error = Engine::start(&["no-such-engine".to_owned()]).unwrap_err();
    assert!(
        error.to_string().starts_with("the engine can't be started: no-such-engine"),
        "{error}"
    );
    assert!(matches!(Engine::start(&[]), Err(Error::Start(_))));
}

#[test]
fn silence_at_the_start_has_an_end() {
    let settings = Settings { timeout: SHORT, ..Settings::default() };
    let error = watched(|| settings.start(&shell("exec sleep 600")).unwrap_err());
    let text = "the engine gave no uciok within 100ms; it has said nothing";
    assert_eq!(error.to_string(), text);
}

#[test]
fn output_at_the_start_has_an_end() {
    for script in ["exec yes", "while :; do echo option; sleep 0.01; done"] {
        let settings = Settings { timeout: SHORT, ..Settings::default() };
        let error = watched(|| settings.start(&shell(script)).unwrap_err());
        assert!(
            matches!(error, Error::TimedOut { awaited: "uciok", .. } | Error::Protocol { .. }),
            "{error}"
        );
    }
}

#[test]
fn a_line_without_end_is_an_error() {
    let error = watched(|| patient().start(&shell("exec tr '\\0' x < /dev/zero")).unwrap_err());
    let Error::Protocol { line, reason } = error else { panic!("{error}") };
    assert_eq!((line.len(), &*reason), (200, "a line of more than 64 KiB"));
}

#[test]
fn an_end_at_the_start_says_why() {
    let error =
        watched(|| patient().start(&shell("echo boom >&2; exec 2>&-; exit 3")).unwrap_err());
    let Error::Ended { awaited: "uciok", exit } = error else { panic!("{error}") };
    assert_eq!(exit.code(), Some(3));
}

#[test]
fn a_crash_in_a_search_says_why() {
    let error =
        search("go*) echo boom >&2; exec 2>&-; sleep 0.2; exit 7;;", patient()).unwrap_err();
    let text = "the engine ended before bestmove came: exit status: 7, after boom";
    assert_eq!(error.to_string(), text);
}

#[test]
fn an_engine_that_closes_its_output_has_ended() {
    let error = search("go*) exec >&-; exec sleep 600;;", patient()).unwrap_err();
    let text = "the engine ended before bestmove came: it closed its output";
    assert_eq!(error.to_string(), text);
}

#[test]
fn an_engine_whose_children_hold_the_pipes_has_ended() {
    for (end, code) in [("exit 7", 7), ("kill -9 $$", -9)] {
        let error = search(&format!("go*) sleep 600 & {end};;"), patient()).unwrap_err();
        let Error::Ended { exit, .. } = error else { panic!("{error}") };
        assert_eq!(exit.code(), Some(code));
    }
}

#[test]
fn a_search_has_an_end() {
    for go in ["exec sleep 600", "while :; do echo info depth 1; done", "exec yes", "exec cat"] {
        let error = quick_search(&format!("go*) {go};;")).unwrap_err();
        let awaited = "bestmove after stop";
        assert!(matches!(error, Error::TimedOut { awaited: it, .. } if it == awaited), "{error}");
    }
}

/// Nothing that it found is lost.
#[test]
fn a_search_whose_time_is_up_is_stopped() {
    for limit in [depth_one(), Limit::time(SHORT)] {
        let found = watched(move || {
            let settings = Settings { search_timeout: SHORT, timeout: LONGER, ..patient() };
            let mut engine = settings.start(&fake(ENDLESS)).unwrap();
            let found = engine.play(&Game::new(), &limit);
            engine.play(&Game::new(), &limit).unwrap();
            found
        });
        assert_eq!(found.unwrap().best.unwrap().to_string(), "e2e4");
    }
}

#[test]
fn an_engine_that_ignores_stop_is_given_up() {
    let error = watched(|| {
        let settings = Settings { timeout: LONGER, ..Settings::default() };
        let mut engine = settings.start(&fake("go*) echo info depth 1;;")).unwrap();
        engine.begin(&Game::new(), &Limit::default(), 1).unwrap();
        assert!(matches!(engine.poll(LONG), Ok(Some(Step::Info(_)))));
        engine.stop();
        engine.poll(LONG).unwrap_err()
    });
    assert!(matches!(error, Error::TimedOut { awaited: "bestmove after stop", .. }), "{error}");
}

#[test]
fn an_engine_that_ignores_quit_is_killed() {
    watched(|| {
        let settings = || Settings { timeout: LONGER, ..Settings::default() };
        settings().start(&fake("quit) exec sleep 600;;")).unwrap().quit();
        settings().start(&fake("quit) exec yes;;")).unwrap().quit();
        // One that obeys isn't.
        start("quit) exit;;").quit();
    });
}

#[test]
fn nonsense_is_an_error_that_names_the_line() {
    for (line, reason) in [
        ("bestmove", "expected an origin square, such as e2"),
        ("bestmove e2", "expected a target square, such as e4"),
        ("bestmove (none)", "expected an origin square, such as e2"),
        ("bestmove e2e5", "e2e5 is not legal: a pawn on e2 cannot reach e5"),
        ("info multipv 2", "multipv is not from 1 to 1, as we asked"),
        ("info multipv 0", "multipv is not from 1 to 1, as we asked"),
    ] {
        let error = search(&format!("go*) echo '{line}';;"), patient()).unwrap_err();
        assert_eq!(error, Error::Protocol { line: line.to_owned(), reason: reason.to_owned() });
    }
    let error = watched(|| patient().start(&fake("uci) echo option name;;")).unwrap_err());
    assert!(matches!(error, Error::Protocol { .. }), "{error}");
}

#[test]
fn values_that_are_not_as_in_uci_are_left_out() {
    let odd =
        "info depth deep nodes -1 score cp 12.5 wdl 500 500 time nps 7 hashfull 1/8 pv E2E4 e7e5";
    let info = Info::parse(odd, &Position::START);
    assert_eq!((info.depth, info.nodes, info.score, info.wdl), (None, None, None, None));
    assert_eq!((info.time, info.nps, info.hashfull), (None, Some(7), None));
    assert_eq!((info.pv.len(), info.pv_rest.len()), (2, 0));
}

#[test]
fn what_uci_does_not_know_is_skipped() {
    let found = search(
        "isready) echo bestmove a1a1; echo readyok;;
        go*) echo; echo hello; echo '  info currmove e2e4 currmovenumber 1 new 5 depth 3'
             echo 'info string depth pv score'; echo info; echo 'bestmove e2e4 ponder e2e4';;",
        patient(),
    );
    let e2e4 = Position::START.parse_uci("e2e4").ok();
    assert_eq!(found, Ok(Found { best: e2e4, ponder: None, lines: Vec::new() }));
}

#[test]
fn the_last_exact_score_of_each_line_remains() {
    let found = watched(|| {
        let mut engine = start(
            "uci) echo option name MultiPV type spin default 1 min 1 max 9; echo uciok;;
            go*) echo info multipv 2 score cp 5 upperbound depth 1
                 echo info multipv 1 score cp 10 depth 1 pv e2e4 e7e5 e4e5 nodes 7
                 echo info multipv 1 score cp 90 lowerbound depth 2
                 echo info depth 3; echo info multipv 2 score mate -3 wdl 1 2 997 depth 2
                 echo bestmove e2e4 ponder e7e5;;",
        );
        engine.analyse(&Game::new(), &depth_one(), 3).unwrap()
    });
    let [first, second] = &found.lines[..] else { panic!("{found:?}") };
    assert_eq!((first.score, first.depth, first.nodes), (Some(Score::Cp(10)), Some(1), Some(7)));
    assert_eq!((first.pv.len(), first.pv_rest[0].to_string()), (2, "e4e5".to_owned()));
    assert_eq!(
        (second.score_for(Color::Black), second.bound),
        (Some(Score::Wins(3)), Bound::Exact)
    );
    assert_eq!(second.wdl, Some([1, 2, 997]));
    assert_eq!(found.ponder.map(|mv| mv.to_string()), Some("e7e5".to_owned()));
}

/// A log that can be read.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Shared {
    /// What was said to the engine since the last call.
    fn said(&self) -> Vec<String> {
        let bytes = std::mem::take(&mut *self.0.lock().unwrap());
        let text = String::from_utf8(bytes).unwrap();
        text.lines().filter_map(|line| line.strip_prefix("> ").map(str::to_owned)).collect()
    }
}

#[test]
fn the_engine_hears_what_was_asked() {
    watched(|| {
        let log = Shared::default();
        let settings = Settings { log: Log::to(log.clone()), ..patient() };
        let mut engine = settings
            .start(&fake(
                "uci) echo option name MultiPV type spin default 1 min 1 max 9
                      echo option name UCI_Chess960 type check default false; echo uciok;;
                go*) echo bestmove g8f6;;",
            ))
            .unwrap();
        assert_eq!(log.said(), ["uci", "isready"]);
        let mut game = Game::new();
        game.push(game.position().parse_uci("e2e4").unwrap()).unwrap();
        let start = Position::START.fen();
        engine.play(&game, &Limit::nodes(5)).unwrap();
        assert_eq!(
            log.said(),
            [&format!("position fen {start} moves e2e4"), "isready", "go nodes 5"]
        );
        let limit = Limit {
            mate: Some(2),
            white_clock: Some(Duration::from_secs(3)),
            black_clock: Some(Duration::from_secs(2)),
            white_inc: Some(Duration::ZERO),
            black_inc: Some(Duration::from_millis(10)),
            remaining_moves: Some(4),
            ..Limit::default()
        };
        let start = Game::from_position(game.position().clone());
        engine.analyse(&start, &limit, 2).unwrap();
        let after = game.position().fen();
        let go = "go mate 2 wtime 3000 btime 2000 winc 0 binc 10 movestogo 4";
        let set = "setoption name MultiPV value 2";
        assert_eq!(log.said(), [set, &format!("position fen {after}"), "isready", go]);
        let chess960 = game.position().clone();
        let chess960 = chess960.with_castling_mode(tabiya::CastlingMode::Chess960).unwrap();
        let fen = chess960.fen();
        engine.play(&Game::from_position(chess960), &Limit::depth(3)).unwrap();
        assert_eq!(
            log.said(),
            [
                "setoption name UCI_Chess960 value true",
                "setoption name MultiPV value 1",
                &format!("position fen {fen}"),
                "isready",
                "go depth 3"
            ]
        );
        engine.play(&game, &Limit::depth(3)).unwrap();
        assert_eq!(log.said()[0], "setoption name UCI_Chess960 value false");
        engine.new_game().unwrap();
        assert_eq!(log.said(), ["ucinewgame", "isready"]);
        engine.quit();
        assert_eq!(log.said(), ["stop", "quit"]);
    });
}

#[test]
fn options_have_types() {
    watched(|| {
        let log = Shared::default();
        let settings = Settings { log: Log::to(log.clone()), ..patient() };
        let mut engine = settings
            .start(&fake(
                "uci) echo option name Use Book type check default true
                      echo option name Hash type spin default 16 min 1 max 1024
                      echo option name Style type combo default very solid var very solid var wild
                      echo option name Clear Hash type button
                      echo 'option name File type string default <empty>'
                      echo option name Note type string default a default min text
                      echo option name Odd type spin default 3 min 1
                      echo option name Odder type slider; echo uciok;;",
            ))
            .unwrap();
        let text = |text: &str| text.to_owned();
        let kinds = [
            OptionKind::Check { default: true },
            OptionKind::Spin { default: 16, min: 1, max: 1024 },
            OptionKind::Combo {
                default: text("very solid"),
                choices: vec![text("very solid"), text("wild")],
            },
            OptionKind::Button,
            OptionKind::String { default: text("") },
            OptionKind::String { default: text("a default min text") },
            OptionKind::Unreadable { reason: text("\"\" is no number") },
            OptionKind::Unreadable { reason: text("slider is no type") },
        ];
        assert_eq!(engine.options().iter().map(|it| it.kind.clone()).collect::<Vec<_>>(), kinds);
        log.said();
        engine.set_option("Use Book", false).unwrap();
        engine.set_option("Hash", 1024).unwrap();
        engine.set_option("Style", "wild").unwrap();
        engine.set_option("Clear Hash", "").unwrap();
        engine.set_option("File", "").unwrap();
        let said = [
            "setoption name Use Book value false",
            "setoption name Hash value 1024",
            "setoption name Style value wild",
            "setoption name Clear Hash",
            "setoption name File value <empty>",
        ];
        assert_eq!(log.said(), said);
        for (name, value, reason) in [
            ("hash", "1", "the engine has no option hash, but Use Book, Hash, "),
            ("Hash", "0", "the option Hash takes a number from 1 to 1024, not \"0\""),
            ("Hash", "some", "the option Hash takes a number from 1 to 1024, not \"some\""),
            ("Style", "Wild", "the option Style takes one of very solid, wild, not \"Wild\""),
            ("Use Book", "", "the option Use Book takes true or false, not \"\""),
            ("Clear Hash", "true", "the option Clear Hash takes no value, not \"true\""),
            ("File", "a\nquit", "the option File takes a text of one line, not \"a\\nquit\""),
            ("Odd", "2", "the option Odd takes nothing (its line isn't UCI: \"\" is no number)"),
            ("MultiPV", "2", "searches set MultiPV, from their number of lines and position"),
        ] {
            let error = engine.set_option(name, value).unwrap_err();
            assert!(
                matches!(error, Error::Argument(_)) && error.to_string().starts_with(reason),
                "{error}"
            );
        }
        // Nothing of that was said, and the engine goes on.
        engine.new_game().unwrap();
        assert_eq!(log.said(), ["ucinewgame", "isready"]);
    });
    assert!(EngineOption::parse("option name A").is_err());
}

#[test]
fn wrong_arguments_leave_the_engine_as_it_is() {
    watched(|| {
        let mut engine = start("go*) echo bestmove e2e4;;");
        let start = Game::new();
        let chess960 = Game::from_position(Position::chess960(1).unwrap());
        let clock = Limit { black_clock: Some(LONG), ..Limit::default() };
        for (game, limit, lines, reason) in [
            (&start, Limit::default(), 1, "nothing limits the search"),
            (&start, Limit::depth(0), 1, "the limit depth is 0; it must be 1 "),
            (&start, Limit::time(Duration::from_micros(999)), 1, "the limit movetime is 0"),
            (&start, clock, 1, "the clock of the side to move is missing"),
            (&start, Limit::depth(1), 2, "the engine has no option MultiPV, but"),
            (&chess960, Limit::depth(1), 1, "the engine has no option UCI_Chess960, but"),
        ] {
            let error = engine.analyse(game, &limit, lines).unwrap_err();
            assert!(error.to_string().starts_with(reason), "{error}");
        }
        let error = engine.poll(SHORT).unwrap_err();
        assert_eq!(error.to_string(), "there is no search to wait for");
        assert!(engine.play(&Game::new(), &depth_one()).is_ok());
    });
}

/// It searches until it's stopped.
const ENDLESS: &str = "go*) echo info depth 1;; stop) echo bestmove e2e4;;";

#[test]
fn a_search_that_is_left_is_stopped_by_the_next() {
    watched(|| {
        let mut engine = start(ENDLESS);
        let limit = Limit::default();
        engine.begin(&Game::new(), &limit, 1).unwrap();
        assert!(matches!(engine.poll(LONG), Ok(Some(Step::Info(_)))));
        engine.begin(&Game::new(), &limit, 1).unwrap();
        engine.begin(&Game::new(), &limit, 1).unwrap();
        let Some(Step::Info(info)) = engine.poll(LONG).unwrap() else { panic!("no info") };
        assert_eq!(info.depth, Some(1));
        assert_eq!(engine.poll(SHORT), Ok(None));
        engine.stop();
        let Some(Step::Done(found)) = engine.poll(LONG).unwrap() else { panic!("no end") };
        assert_eq!(found.best.unwrap().to_string(), "e2e4");
        engine.quit();
    });
}

#[test]
fn an_interrupted_search_goes_on() {
    static WISH: AtomicBool = AtomicBool::new(false);
    let wish = |wish| WISH.store(wish, Ordering::Relaxed);
    watched(move || {
        let commands = &format!("ucinewgame) sleep 0.5;; {ENDLESS}");
        let interrupt = || WISH.load(Ordering::Relaxed);
        let mut engine = Settings { interrupt, ..patient() }.start(&fake(commands)).unwrap();
        engine.begin(&Game::new(), &Limit::default(), 1).unwrap();
        assert!(matches!(engine.poll(LONG), Ok(Some(Step::Info(_)))));
        wish(true);
        assert_eq!(engine.poll(LONG), Err(Error::Interrupted));
        wish(false);
        engine.stop();
        let Some(Step::Done(found)) = engine.poll(LONG).unwrap() else { panic!("no end") };
        assert_eq!(found.best.unwrap().to_string(), "e2e4");
        // Interrupted while it waits for an answer: later answers belong to later questions.
        wish(true);
        assert!(matches!(engine.new_game(), Err(Error::Interrupted) | Ok(())));
        wish(false);
        engine.new_game().unwrap();
        engine.begin(&Game::new(), &Limit::default(), 1).unwrap();
        assert!(matches!(engine.poll(LONG), Ok(Some(Step::Info(_)))));
    });
}

#[test]
fn where_there_is_no_move_none_is_found() {
    watched(|| {
        let mut engine = start("go*) echo info depth 0 score mate 0; echo 'bestmove (none)';;");
        let mated = Position::from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1").unwrap();
        let found = engine.play(&Game::from_position(mated), &depth_one()).unwrap();
        assert_eq!((found.best, found.lines[0].score), (None, Some(Score::Loses(0))));
        assert_eq!(found.lines[0].score_for(Color::White), Some(Score::Wins(0)));
    });
}

/// Random bytes are read, or refused, as lines about a search.
#[test]
fn any_text_after_info_is_read() {
    let words = [
        "depth",
        "score",
        "cp",
        "mate",
        "pv",
        "e2e4",
        "e7e5",
        "-3",
        "99999999999",
        "string",
        "wdl",
        "multipv",
        "lowerbound",
        "nodes",
        "\u{fffd}",
        "time",
        "currline",
        "0",
        "1",
    ];
    let mut state = 1_u64;
    for _ in 0..20_000 {
        let mut line = "info".to_owned();
        for _ in 0..12 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            line += " ";
            line += words[usize::try_from(state >> 33).unwrap() % words.len()];
        }
        let mut position = Position::START;
        for mv in Info::parse(&line, &position).pv {
            position = position.try_play(mv).expect("it's legal");
        }
    }
}

/// Debian's Stockfish, or that of the path.
fn stockfish() -> Option<Engine> {
    let names = ["stockfish", "/usr/games/stockfish"];
    let name = names.into_iter().find(|name| Command::new(name).arg("quit").output().is_ok());
    let Some(name) = name else {
        assert!(std::env::var_os("CI").is_none_or(|ci| ci != "true"), "stockfish is not installed");
        let test = thread::current();
        let line = format!("skipped: {} needs stockfish\n", test.name().unwrap_or("a test"));
        io::stderr().write_all(line.as_bytes()).expect("standard error is open");
        return None;
    };
    Some(patient().start(&[name.to_owned()]).expect("it starts"))
}

#[test]
fn stockfish_mates() {
    let Some(mut engine) = stockfish() else { return };
    watched(move || {
        assert!(engine.name().starts_with("Stockfish"));
        engine.set_option("Hash", 8).unwrap();
        let position = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1").unwrap();
        let game = Game::from_position(position.clone());
        let found = engine.analyse(&game, &Limit::depth(8), 3).unwrap();
        assert_eq!(found.best.unwrap().to_string(), "a1a8");
        assert_eq!(found.lines.len(), 3);
        assert_eq!(found.lines[0].score, Some(Score::Wins(1)));
        assert!(found.lines.is_sorted_by(|a, b| a.score >= b.score));
        for (info, number) in found.lines.iter().zip(1..) {
            assert_eq!((info.multipv, info.turn), (number, Color::White));
            assert!(info.pv_rest.is_empty());
        }
        // The last move leaves none.
        let mated = Game::from_position(position.play(found.best.unwrap()));
        let found = engine.play(&mated, &Limit::depth(8)).unwrap();
        assert_eq!((found.best, found.lines[0].score), (None, Some(Score::Loses(0))));
        engine.quit();
    });
}

#[test]
fn stockfish_plays_games_of_both_kinds() {
    let Some(mut engine) = stockfish() else { return };
    watched(move || {
        for start in [Position::START, Position::chess960(0).unwrap()] {
            engine.new_game().unwrap();
            let mut game = Game::from_position(start);
            while game.outcome().is_none() && game.moves().len() < 60 {
                let found = engine.play(&game, &Limit::nodes(500)).unwrap();
                game.push(found.best.expect("the game goes on")).unwrap();
            }
            assert!(game.moves().len() > 5);
        }
        // Every legal move is the first of a line, castling included.
        for fen in ["4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1"]
        {
            let position = Position::from_fen(fen).unwrap();
            let game = Game::from_position(position.clone());
            let mut legal = position.legal_moves().to_vec();
            let found = engine.analyse(&game, &Limit::depth(1), legal.len()).unwrap();
            let mut first: Vec<_> = found.lines.iter().map(|info| info.pv[0]).collect();
            legal.sort_by_key(|mv| mv.bits());
            first.sort_by_key(|mv| mv.bits());
            assert_eq!(first, legal);
            assert!(legal.iter().any(|mv| mv.castling().is_some()));
        }
    });
}

#[test]
fn stockfish_is_stopped_and_goes_on() {
    let Some(mut engine) = stockfish() else { return };
    watched(move || {
        for _ in 0..3 {
            engine.begin(&Game::new(), &Limit::default(), 2).unwrap();
            let found = loop {
                match engine.poll(LONG).unwrap().expect("something comes") {
                    Step::Done(found) => break found,
                    Step::Info(info) => {
                        assert!(info.pv_rest.is_empty());
                        if info.depth >= Some(5) {
                            engine.stop();
                        }
                    }
                }
            };
            assert!(found.best.is_some() && found.lines.len() == 2);
            // Left, and not waited for.
            engine.begin(&Game::new(), &Limit::default(), 1).unwrap();
        }
        let found = engine.play(&Game::new(), &Limit::time(SHORT)).unwrap();
        assert!(found.best.is_some());
    });
}
