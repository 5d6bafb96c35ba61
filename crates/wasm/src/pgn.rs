//! Games in PGN: the first game of a text, and its main line.

use serde::Serialize;
use tabiya::Position;
use tabiya_pgn::{Reader, Replay, Token};
use tsify::{Ts, Tsify};
use wasm_bindgen::prelude::*;

use crate::error::{Failure, js};

/// A game: its tags and its main line, up to the first move that cannot be played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Tsify)]
#[serde(rename_all = "camelCase")]
pub struct PgnGame {
    /// The tags, each a name and a value.
    #[tsify(type = "[string, string][]")]
    pub tags: Vec<(String, String)>,
    /// The start of the game, in FEN.
    pub start: String,
    /// The moves of the main line, in UCI.
    pub moves: Vec<String>,
    /// The comments in the main line: the number of moves before each, and its text.
    #[tsify(type = "[number, string][]")]
    pub comments: Vec<(u32, String)>,
    /// The number of variations, which are left out.
    pub variations: u32,
    /// The number of further games in the text. They are not checked.
    pub more_games: u32,
    /// The result, such as `1-0`; missing if the text does not give it.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<String>,
    /// The reason why the game ends before its last move.
    #[tsify(optional)]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Reads the first game of a text in PGN. Every move of its main line is checked; the game ends
/// before a move that cannot be played.
///
/// Throws an `InputError` if there is no game.
#[wasm_bindgen(js_name = readPgn)]
pub fn read_pgn(text: &str) -> Result<Ts<PgnGame>, Failure> {
    js(first_game(text)?)
}

fn first_game(text: &str) -> Result<PgnGame, Failure> {
    let mut reader = Reader::from_bytes(text.as_bytes());
    let (mut replay, mut game) = (Replay::new(), PgnGame::default());
    let mut start: Option<Position> = None;
    game.error = loop {
        let token = match reader.next_token() {
            Ok(Some(Token::GameEnd) | None) => break None,
            Ok(Some(token)) => token,
            Err(error) => break Some(error.to_string()),
        };
        let is_main = replay.depth() == 0;
        match token {
            Token::Tag(tag) => {
                game.tags.push((tag.name.decode().into_owned(), tag.value().into_owned()));
            }
            Token::Comment(comment) if is_main => {
                game.comments.push((replay.ply(), comment.without_commands()));
            }
            Token::VariationStart => game.variations += 1,
            Token::Result(result) => game.result = Some(result.as_str().to_owned()),
            _ => {}
        }
        match replay.play(&token) {
            Ok(Some(mv)) if is_main => {
                let before = replay.before();
                start.get_or_insert_with(|| before.clone());
                game.moves.push(before.uci(mv).to_string());
            }
            Ok(None) if is_main && matches!(token, Token::Move(_)) => {
                break Some(format!("ply {}: a null move cannot be shown", replay.ply()));
            }
            Err(error) if is_main => break Some(error.to_string()),
            // A variation is left out, so its errors do not matter.
            Ok(_) | Err(_) => {}
        }
    };
    if game.tags.is_empty() && game.moves.is_empty() {
        let error = game.error.unwrap_or_else(|| "there is no game in this text".to_owned());
        return Err(Failure::of(text, error));
    }
    game.start = start.as_ref().unwrap_or_else(|| replay.position()).fen().to_string();
    game.more_games = games_left(&mut reader);
    Ok(game)
}

/// The number of games that follow.
fn games_left<I: tabiya_pgn::Input>(reader: &mut Reader<I>) -> u32 {
    let mut games = 0;
    loop {
        match reader.next_token() {
            Ok(Some(Token::GameStart)) => games += 1,
            Ok(Some(_)) => {}
            Ok(None) => return games,
            Err(error) if error.is_final() => return games,
            Err(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_line_of_the_first_game_is_read() {
        let text = "[White \"A \\\"B\\\"\"]\n\n1. e4 {good [%clk 0:01:00]} e5 (1... c5 {no} 2. Zz9) 2. Nf3 1-0\n\n\
                    [White \"C\"]\n\n1. d4 *";
        let game = first_game(text).unwrap();
        assert_eq!(game.tags, [("White".to_owned(), "A \"B\"".to_owned())]);
        assert_eq!(game.moves, ["e2e4", "e7e5", "g1f3"]);
        assert_eq!(game.comments, [(1, "good".to_owned())]);
        assert_eq!((game.variations, game.more_games), (1, 1));
        assert_eq!((game.result.as_deref(), game.error), (Some("1-0"), None));
        assert!(game.start.starts_with("rnbqkbnr/"));
    }

    #[test]
    fn a_game_begins_at_the_position_of_its_tag() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let game = first_game(&format!("[FEN \"{fen}\"]\n\n1. e4 *")).unwrap();
        assert_eq!((game.start.as_str(), &game.moves[..]), (fen, &["e2e4".to_owned()][..]));
        let empty = first_game(&format!("[FEN \"{fen}\"]\n\n*")).unwrap();
        assert_eq!((empty.start.as_str(), empty.moves.len()), (fen, 0));
    }

    #[test]
    fn a_game_ends_before_a_move_that_cannot_be_played() {
        for (text, moves, message) in [
            ("1. e4 e5 2. Bd5 Nf6 *", 2, "Bd5 is not legal"),
            ("1. e4 -- 2. d4 *", 1, "null move"),
            ("1. e4 e5 2. Nf3 {open", 3, ""),
            ("[FEN \"x\"]\n\n1. e4 *", 0, "the tag FEN"),
        ] {
            let game = first_game(text).unwrap();
            assert_eq!(game.moves.len(), moves, "{text}");
            assert!(game.error.is_some_and(|error| error.contains(message)), "{text}");
        }
        for text in ["", "hello", "{a comment}"] {
            assert!(first_game(text).is_err(), "{text}");
        }
    }
}
