//! Lines with a position and more: fields between separators, and EPD.

use numpy::PyArray1;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyMapping, PyString};
use tabiya::Position;
use tabiya::epd::{Epd, Operand, Operation};

use super::PyBatch;
use super::read::{self, OnError};
use super::texts::Texts;
use crate::signals;
use crate::threads::ThreadsArg;

/// The columns that a caller wants, by name, in their order.
pub(super) struct Columns(Vec<(String, Kind)>);

/// What a column holds.
#[derive(Clone, Copy)]
enum Kind {
    Numbers,
    Texts,
}

impl<'a, 'py> FromPyObject<'a, 'py> for Columns {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let py = object.py();
        let columns = object.cast::<PyMapping>().map_err(|_| {
            let kind = object.get_type();
            PyTypeError::new_err(format!("columns: expected a dict of names and types, not {kind}"))
        })?;
        let column = |item: Bound<'py, PyAny>| {
            let (name, kind): (Bound<'py, PyAny>, Bound<'py, PyAny>) = item.extract()?;
            let name: String = name.extract().map_err(|_| {
                PyTypeError::new_err(format!("columns: expected names as str, not {name}"))
            })?;
            if kind.is(py.get_type::<PyFloat>()) {
                return Ok((name, Kind::Numbers));
            }
            if kind.is(py.get_type::<PyString>()) {
                return Ok((name, Kind::Texts));
            }
            let text = format!("columns: expected float or str for {name:?}, not {kind}");
            Err(PyTypeError::new_err(text))
        };
        columns.items()?.iter().map(column).collect::<PyResult<_>>().map(Self)
    }
}

/// A value of a column.
#[derive(Clone)]
enum Value {
    Number(f64),
    Text(String),
}

/// What a line says.
#[derive(Clone)]
struct Row {
    position: Position,
    values: Vec<Value>,
}

/// The value of a column.
///
/// # Errors
/// The reason why the text is none.
fn value(name: &str, kind: Kind, text: &str) -> Result<Value, String> {
    match kind {
        Kind::Texts => Ok(Value::Text(text.to_owned())),
        Kind::Numbers => match text.parse() {
            Ok(number) if f64::is_finite(number) => Ok(Value::Number(number)),
            _ => Err(format!("{name}: expected a number, not {text:?}")),
        },
    }
}

/// A FEN and the values of all columns, with a separator between them.
fn fields(line: &str, separator: char, columns: &Columns, chess960: bool) -> Result<Row, String> {
    let mut fields = line.split(separator).map(str::trim);
    let (expected, found) = (1 + columns.0.len(), fields.clone().count());
    if found != expected {
        let text = format!("expected {expected} fields with {separator:?} between them");
        return Err(format!("{text}, not {found}"));
    }
    let position = read::position(fields.next().unwrap_or_default(), chess960)?;
    let columns = columns.0.iter().zip(fields);
    let values = columns.map(|((name, kind), text)| value(name, *kind, text));
    Ok(Row { position, values: values.collect::<Result<_, _>>()? })
}

/// A position and operations, of which the columns are some.
fn epd(line: &str, columns: &Columns, chess960: bool) -> Result<Row, String> {
    let epd = Epd::read(line).map_err(|error| error.to_string())?;
    let mut position = epd.position().clone();
    if chess960 {
        position = read::in_chess960(position)?;
    }
    let values = columns.0.iter().map(|(name, kind)| {
        let operand = epd.operations().find_map(|operation| operand(&operation, name));
        match (operand, kind) {
            (Some(text), _) => value(name, *kind, &text),
            (None, Kind::Numbers) => Ok(Value::Number(f64::NAN)),
            (None, Kind::Texts) => Ok(Value::Text(String::new())),
        }
    });
    Ok(Row { position, values: values.collect::<Result<_, _>>()? })
}

/// The operands of an operation with this name.
fn operand(operation: &Operation<'_>, name: &str) -> Option<String> {
    let number = name.get(1..).unwrap_or_default();
    let is_wanted = match operation {
        Operation::Comment { number: found, .. } => {
            name.starts_with('c') && number == found.to_string()
        }
        Operation::Perft { depth, .. } => name.starts_with('D') && number == depth.to_string(),
        _ => operation.opcode() == name,
    };
    if !is_wanted {
        return None;
    }
    Some(match operation {
        Operation::BestMoves(moves)
        | Operation::AvoidMoves(moves)
        | Operation::PrincipalVariation(moves) => moves.texts().collect::<Vec<_>>().join(" "),
        Operation::Id(text) | Operation::Comment { text, .. } => text.to_string(),
        Operation::Evaluation(number) => number.to_string(),
        Operation::AnalysisDepth(number) | Operation::DirectMate(number) => number.to_string(),
        Operation::AnalysisNodes(number) | Operation::AnalysisSeconds(number) => number.to_string(),
        Operation::Perft { nodes, .. } => nodes.to_string(),
        Operation::HalfmoveClock(number) | Operation::FullmoveNumber(number) => number.to_string(),
        Operation::Other { operands, .. } => {
            let mut list = operands.iter();
            match (list.next(), list.next()) {
                (Some(Operand::Quoted(text)), None) => text.to_string(),
                _ => operands.as_str().to_owned(),
            }
        }
        _ => String::new(),
    })
}

/// How lines are written.
#[derive(Clone, Copy)]
pub(super) enum Grammar {
    Fields { separator: char },
    Epd,
}

/// The positions and the columns of lines; with a mask of the bad lines if the caller wanted one.
pub(super) fn read<'py>(
    lines: &Bound<'py, PyAny>,
    columns: &Columns,
    grammar: Grammar,
    chess960: bool,
    threads: ThreadsArg,
    on_error: OnError,
) -> PyResult<Bound<'py, PyAny>> {
    let py = lines.py();
    let row = |line: &str, place: &mut Row| {
        *place = match grammar {
            Grammar::Fields { separator } => fields(line, separator, columns, chess960)?,
            Grammar::Epd => epd(line, columns, chess960)?,
        };
        Ok(())
    };
    let empty = Row { position: Position::START, values: Vec::new() };
    let reading = read::rows(py, &Texts::new(lines)?, &empty, row, threads, on_error)?;
    let (rows, is_bad) = reading.finish(py)?;
    let mut numbers = vec![Vec::new(); columns.0.len()];
    let mut texts = vec![Vec::new(); columns.0.len()];
    let mut positions = Vec::with_capacity(rows.len());
    for (number, row) in rows.into_iter().enumerate() {
        positions.push(row.position);
        for (column, value) in row.values.into_iter().enumerate() {
            match value {
                Value::Number(value) => numbers[column].push(value),
                Value::Text(value) => texts[column].push(value),
            }
        }
        signals::pause_at(py, number)?;
    }
    let found = PyDict::new(py);
    let all = columns.0.iter().zip(numbers.into_iter().zip(texts));
    for ((name, kind), (numbers, texts)) in all {
        match kind {
            Kind::Numbers => found.set_item(name, PyArray1::from_vec(py, numbers))?,
            Kind::Texts => found.set_item(name, texts)?,
        }
    }
    let batch = PyBatch::new(positions);
    match is_bad {
        None => Ok((batch, found).into_pyobject(py)?.into_any()),
        Some(is_bad) => Ok((batch, found, is_bad).into_pyobject(py)?.into_any()),
    }
}
