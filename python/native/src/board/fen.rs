//! Reading and writing FEN, with a more lenient reader than that of `Position`.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tabiya::fen::{CastlingNotation, FenCause, FenField};
use tabiya::{CastlingMode, CastlingRights, Color, FenError, File, Setup, Square};

use super::PyBoard;
use super::state::State;
use crate::errors;

/// The default of each field of a FEN; the board has none.
const DEFAULTS: [&str; 6] = ["", "w", "-", "-", "0", "1"];

/// Reads a FEN. The fields after the board may be missing, and castling rights and en-passant
/// squares need not make sense.
///
/// # Errors
/// `FenError`.
pub(super) fn read(py: Python<'_>, fen: &str, mode: CastlingMode) -> PyResult<State> {
    let setup = match Setup::from_fen(fen) {
        Ok(setup) => setup,
        Err(error) => lenient(fen, error).map_err(|error| errors::fen(py, fen, &error))?,
    };
    Ok(State::new(Setup { castling_mode: mode, ..setup }))
}

/// Reads a FEN that is incomplete, or that has castling rights without rooks.
///
/// The error is that of the strict reader.
#[cold]
fn lenient(fen: &str, error: FenError) -> Result<Setup, FenError> {
    let words: Vec<&str> = fen.split_ascii_whitespace().collect();
    if words.is_empty() || words.len() > DEFAULTS.len() {
        return Err(error);
    }
    let mut fields = DEFAULTS;
    fields[..words.len()].copy_from_slice(&words);
    let castling = fields[2];
    let is_about_castling =
        matches!(error.cause(), FenCause::NoRook(_)) && error.field() == FenField::Castling;
    if is_about_castling {
        fields[2] = "-";
    }
    let mut setup = Setup::from_fen(&fields.join(" ")).map_err(|_| error)?;
    if is_about_castling {
        setup.castling = rights(&setup, castling).ok_or(error)?;
    }
    Ok(setup)
}

/// Reads castling rights. A right without a rook is taken as that of a rook in the corner, or on
/// the named file.
fn rights(setup: &Setup, text: &str) -> Option<CastlingRights> {
    let mut rights = CastlingRights::NONE;
    if text == "-" {
        return Some(rights);
    }
    // The board, without the fields that can be wrong.
    let board = Setup { castling: rights, en_passant: None, ..setup.clone() };
    let board = board.fen().to_string();
    let board = board.split(' ').next()?;
    for letter in text.chars() {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let rook = match Setup::from_fen(&format!("{board} w {letter} - 0 1")) {
            Ok(found) => found.castling.rooks().first()?,
            Err(_) => {
                let file = match letter.to_ascii_lowercase() {
                    'k' => File::H,
                    'q' => File::A,
                    _ => File::from_letter(letter)?,
                };
                Square::new(file, color.back_rank())
            }
        };
        rights.add(rook);
    }
    Some(rights)
}

impl PyBoard {
    /// The FEN, with the en-passant square by the rule `legal`, `xfen` or `fen`.
    ///
    /// # Errors
    /// `ValueError`: it is another word.
    fn write(&self, shredder: bool, en_passant: &str, counters: bool) -> PyResult<String> {
        let mut setup = self.state.setup();
        setup.castling = self.state.clean_castling();
        setup.en_passant = match en_passant {
            "legal" => self.state.legal_en_passant(),
            "xfen" => setup.en_passant.filter(|_| self.has_pseudo_legal_en_passant()),
            "fen" => setup.en_passant,
            other => {
                return Err(PyValueError::new_err(format!(
                    "expected \"legal\", \"xfen\" or \"fen\", not {other:?}"
                )));
            }
        };
        let fen = setup.fen().castling(notation(shredder));
        Ok(if counters { fen } else { fen.without_counters() }.to_string())
    }

    /// The FEN, with an en-passant square if a capture there is legal.
    pub(super) fn position_fen(&self) -> String {
        self.write(false, "legal", true).unwrap_or_default()
    }

    /// Is castling written as in Chess960?
    pub(super) fn is_chess960(&self) -> bool {
        self.state.mode() == CastlingMode::Chess960
    }

    /// The castling rights as a field of FEN.
    fn castling(&self, shredder: bool) -> String {
        let castling = self.state.clean_castling();
        let setup = Setup { castling, en_passant: None, ..self.state.setup() };
        let fen = setup.fen().castling(notation(shredder)).to_string();
        fen.split(' ').nth(2).unwrap_or("-").to_owned()
    }

    /// The first four fields of FEN.
    ///
    /// # Errors
    /// `ValueError`: an unknown word for the en-passant square.
    pub(super) fn position_text(&self, shredder: bool, en_passant: &str) -> PyResult<String> {
        self.write(shredder, en_passant, false)
    }
}

/// The notation of castling rights.
const fn notation(shredder: bool) -> CastlingNotation {
    if shredder { CastlingNotation::Shredder } else { CastlingNotation::XFen }
}

#[pymethods]
impl PyBoard {
    /// The FEN.
    ///
    /// ``en_passant`` says when it contains the en-passant square: ``"legal"`` (if a capture there
    /// is legal), ``"xfen"`` (even if the capture leaves the king in check) or ``"fen"`` (after
    /// every double push). With ``shredder``, castling rights are the files of the rooks.
    /// ``promoted`` is for variants and has no effect.
    ///
    /// >>> import tabiya
    /// >>> board = tabiya.Board()
    /// >>> board.push_san("e4")
    /// Move.from_uci('e2e4')
    /// >>> board.fen(en_passant="fen")
    /// 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1'
    #[pyo3(signature = (*, shredder=false, en_passant="legal", promoted=None))]
    fn fen(&self, shredder: bool, en_passant: &str, promoted: Option<bool>) -> PyResult<String> {
        let _ = promoted;
        if let (State::Playable(position), "legal", false) = (&*self.state, en_passant, shredder) {
            return Ok(position.fen().castling(CastlingNotation::XFen).to_string());
        }
        self.write(shredder, en_passant, true)
    }

    /// The FEN with castling rights as the files of the rooks.
    #[pyo3(signature = (*, en_passant="legal", promoted=None))]
    fn shredder_fen(&self, en_passant: &str, promoted: Option<bool>) -> PyResult<String> {
        let _ = promoted;
        self.write(true, en_passant, true)
    }

    /// Sets the board to a FEN, and drops the moves.
    ///
    /// The fields after the pieces may be missing. Raises ``FenError`` if the text is not a FEN.
    fn set_fen(&mut self, py: Python<'_>, fen: &str) -> PyResult<()> {
        *self.state = read(py, fen, self.state.mode())?;
        self.stack.clear();
        Ok(())
    }

    /// The pieces, as the first field of FEN. ``promoted`` is for variants and has no effect.
    ///
    /// >>> import tabiya
    /// >>> tabiya.Board().board_fen()
    /// 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR'
    #[pyo3(signature = (*, promoted=false))]
    fn board_fen(&self, promoted: Option<bool>) -> String {
        let _ = promoted;
        let setup = Setup { board: *self.state.board(), ..Setup::EMPTY };
        let mut fen = setup.fen().to_string();
        fen.truncate(fen.find(' ').unwrap_or(fen.len()));
        fen
    }

    /// Replaces the pieces by those of the first field of a FEN, and drops the moves.
    fn set_board_fen(&mut self, py: Python<'_>, fen: &str) -> PyResult<()> {
        if fen.contains(char::is_whitespace) {
            return Err(PyValueError::new_err("expected the first field of a FEN alone"));
        }
        let board = Setup::from_fen(&format!("{fen} w - - 0 1"))
            .map_err(|error| errors::fen(py, fen, &error))?
            .board;
        self.state.edit(|setup| setup.board = board);
        self.stack.clear();
        Ok(())
    }

    /// The castling rights as X-FEN writes them: ``KQkq``, or the file of an inner rook.
    fn castling_xfen(&self) -> String {
        self.castling(false)
    }

    /// The castling rights as the files of the rooks.
    fn castling_shredder_fen(&self) -> String {
        self.castling(true)
    }

    /// Sets the castling rights to a field of FEN, and drops the moves.
    fn set_castling_fen(&mut self, castling_fen: &str) -> PyResult<()> {
        let mut setup = self.state.setup();
        setup.castling = rights(&setup, castling_fen).ok_or_else(|| {
            let found = errors::quoted(castling_fen);
            PyValueError::new_err(format!("expected castling rights such as KQkq, not {found}"))
        })?;
        *self.state = State::new(setup);
        self.stack.clear();
        Ok(())
    }
}
