//! Texts that a caller gives: lists, NumPy arrays, Arrow arrays, and bytes with offsets.

use numpy::{PyArrayDyn, PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{
    PyImportError, PyNotImplementedError, PyOverflowError, PyTypeError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyList, PyString};

use super::reason::Reason;
use crate::{arrays, errors, sizes};

/// Texts, in the objects that hold them. They are read without a copy whenever possible.
pub(super) enum Texts<'py> {
    /// Python objects.
    Objects(Vec<Bound<'py, PyAny>>),
    /// A NumPy array of bytes of fixed width.
    Bytes { values: PyReadonlyArrayDyn<'py, u8>, width: usize },
    /// A NumPy array of characters of fixed width.
    Characters { values: PyReadonlyArrayDyn<'py, u32>, width: usize },
    /// Bytes, and the places where the texts begin and end in them.
    Offsets {
        data: PyReadonlyArrayDyn<'py, u8>,
        offsets: PyReadonlyArrayDyn<'py, i64>,
        /// The row of the first text.
        first: usize,
        rows: usize,
        /// Arrow's bitmap of the rows that are not null.
        valid: Option<PyReadonlyArrayDyn<'py, u8>>,
    },
    /// One after the other.
    Parts(Vec<Self>),
}

/// The content of an object.
pub(super) enum Row<'a> {
    Text(&'a str),
    Bytes(&'a [u8]),
    /// No text: [`why_no_text`] says why.
    Nothing(&'a Py<PyAny>),
}

impl<'py> Texts<'py> {
    /// The texts of an object.
    ///
    /// # Errors
    /// `TypeError` or `ValueError`: it does not hold texts in one dimension.
    pub(super) fn new(object: &Bound<'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyString>()
            || object.is_instance_of::<PyBytes>()
            || object.is_instance_of::<PyByteArray>()
        {
            let text = "expected a list or an array of texts, not a single text";
            return Err(PyTypeError::new_err(text));
        }
        let py = object.py();
        if let Ok(list) = object.cast::<PyList>() {
            return Ok(Self::Objects(list.iter().collect()));
        }
        if let Ok(array) = object.cast::<PyUntypedArray>() {
            return Self::numpy(array);
        }
        if let Some(texts) = Self::arrow(object)? {
            return Ok(texts);
        }
        let items = object.try_iter().map_err(|error| {
            errors::of_argument(py, error, || {
                let kind = object.get_type();
                PyTypeError::new_err(format!("expected a list or an array of texts, not {kind}"))
            })
        })?;
        sizes::collect(py, items).map(Self::Objects)
    }

    fn numpy(array: &Bound<'py, PyUntypedArray>) -> PyResult<Self> {
        let py = array.py();
        if array.ndim() != 1 {
            let dimensions = array.ndim();
            return Err(PyValueError::new_err(format!(
                "expected an array of one dimension, not of {dimensions}"
            )));
        }
        let dtype = array.getattr("dtype")?;
        let mut kind: String = dtype.getattr("kind")?.extract()?;
        let bytes: usize = dtype.getattr("itemsize")?.extract()?;
        if matches!(kind.as_str(), "U" | "S") && array.is_instance(&arrays::masked(py)?)? {
            // As objects, the values that are masked are missing.
            kind = "O".to_owned();
        }
        match kind.as_str() {
            "U" if bytes > 0 => {
                // Without a copy, rows of a packed structure may stay where a number cannot be read.
                let is_aligned: bool = array.getattr("flags")?.getattr("aligned")?.extract()?;
                let native = array.call_method1(
                    "astype",
                    (dtype.call_method1("newbyteorder", ("=",))?, "C", "unsafe", true, !is_aligned),
                )?;
                let values =
                    native.call_method1("view", ("=u4",))?.cast_into::<PyArrayDyn<u32>>()?;
                Ok(Self::Characters { values: arrays::readonly("fens", values)?, width: bytes / 4 })
            }
            "S" if bytes > 0 => {
                let whole = arrays::numpy(py)?.call_method1("ascontiguousarray", (array,))?;
                let values = whole.call_method1("view", ("u1",))?.cast_into::<PyArrayDyn<u8>>()?;
                Ok(Self::Bytes { values: arrays::readonly("fens", values)?, width: bytes })
            }
            "O" | "T" => {
                let list = array.call_method0("tolist")?.cast_into::<PyList>()?;
                Ok(Self::Objects(list.iter().collect()))
            }
            _ => Err(PyTypeError::new_err(format!("expected an array of texts, not of {dtype}"))),
        }
    }

    /// The texts of an Arrow array; `None` if the object is not one, or if pyarrow is not
    /// installed.
    ///
    /// # Errors
    /// `TypeError`: it holds neither texts nor bytes. Or those of the source.
    pub(super) fn arrow(object: &Bound<'py, PyAny>) -> PyResult<Option<Self>> {
        let is_array = object.hasattr("__arrow_c_array__")?;
        if !is_array && !object.hasattr("__arrow_c_stream__")? {
            return Ok(None);
        }
        let make = if is_array { "array" } else { "chunked_array" };
        let pyarrow = object.py().import("pyarrow");
        let array = match pyarrow.and_then(|pyarrow| pyarrow.call_method1(make, (object,))) {
            Ok(array) => array,
            Err(error) if is_not_arrow(object.py(), &error) => return Ok(None),
            Err(error) => return Err(error),
        };
        if is_array {
            return Self::chunk(&array).map(Some);
        }
        let chunks = array.getattr("chunks")?.try_iter()?;
        let parts = chunks.map(|chunk| Self::chunk(&chunk?)).collect::<PyResult<_>>()?;
        Ok(Some(Self::Parts(parts)))
    }

    /// The texts of one contiguous array of pyarrow.
    fn chunk(array: &Bound<'py, PyAny>) -> PyResult<Self> {
        let array = large(array)?;
        let rows = array.len()?;
        if rows == 0 {
            // Its buffers may be empty.
            return Ok(Self::Objects(Vec::new()));
        }
        let bytes = |buffer: &Bound<'py, PyAny>| arrays::bytes("fens", buffer);
        let buffers: [Option<Bound<'py, PyAny>>; 3] = array.call_method0("buffers")?.extract()?;
        let [valid, Some(offsets), data] = &buffers else {
            return Err(PyValueError::new_err("the Arrow array has no offsets"));
        };
        let no_data = PyBytes::new(array.py(), b"").into_any();
        Ok(Self::Offsets {
            data: bytes(data.as_ref().unwrap_or(&no_data))?,
            offsets: numbers(offsets)?,
            first: array.getattr("offset")?.extract()?,
            rows,
            valid: valid.as_ref().map(bytes).transpose()?,
        })
    }

    /// Texts in bytes: text number `i` begins at `offsets[i]` and ends at `offsets[i + 1]`.
    ///
    /// # Errors
    /// `TypeError` or `ValueError`: the offsets do not ascend, or lead out of the bytes.
    pub(super) fn in_bytes(
        data: &Bound<'py, PyAny>,
        offsets: &Bound<'py, PyAny>,
    ) -> PyResult<Self> {
        let data = arrays::bytes("data", data)?;
        let array = arrays::whole("offsets", offsets)?;
        let (dimensions, size): (usize, usize) =
            (array.getattr("ndim")?.extract()?, array.getattr("size")?.extract()?);
        if dimensions != 1 || size == 0 {
            let text = "offsets: expected one dimension with at least one number";
            return Err(PyValueError::new_err(text));
        }
        let offsets = arrays::input::<i64>("offsets", &array)?;
        check(offsets.as_slice()?, data.len())?;
        Ok(Self::Offsets { data, offsets, first: 0, rows: size - 1, valid: None })
    }

    /// The texts as parts that threads can share.
    ///
    /// # Errors
    /// `ValueError`: an array is not contiguous.
    pub(super) fn parts<'a>(&'a self, parts: &mut Vec<Part<'a>>) -> PyResult<()> {
        parts.push(match self {
            Self::Parts(all) => return all.iter().try_for_each(|part| part.parts(parts)),
            Self::Objects(objects) => Part::Objects(objects.iter().map(of_object).collect()),
            Self::Bytes { values, width } => {
                Part::Bytes { values: values.as_slice()?, width: *width }
            }
            Self::Characters { values, width } => {
                Part::Characters { values: values.as_slice()?, width: *width }
            }
            Self::Offsets { data, offsets, first, rows, valid } => {
                let offsets = offsets.as_slice()?.get(*first..=first + rows);
                let valid = valid.as_ref().map(|bits| bits.as_slice()).transpose()?;
                Part::Offsets {
                    data: data.as_slice()?,
                    offsets: offsets.ok_or_else(|| PyValueError::new_err(OUTSIDE))?,
                    valid: valid.map(|bits| (bits, *first)),
                }
            }
        });
        Ok(())
    }
}

/// Does an exception say that pyarrow is missing, or that Arrow cannot hold the values, such as
/// objects of several types? They may still be texts. Other exceptions are those of a signal handler
/// or of the source, which may have lost data.
fn is_not_arrow(py: Python<'_>, error: &PyErr) -> bool {
    error.is_instance_of::<PyImportError>(py)
        || error.is_instance_of::<PyTypeError>(py)
        || error.is_instance_of::<PyValueError>(py)
        || error.is_instance_of::<PyOverflowError>(py)
        || error.is_instance_of::<PyNotImplementedError>(py)
}

/// An array of pyarrow as one with offsets of 64 bits. pyarrow converts views, dictionaries, and
/// offsets of 32 bits.
fn large<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let kind = array.getattr("type")?.to_string();
    let wanted = match kind.as_str() {
        "null" | "string" | "string_view" => "large_string",
        "binary" | "binary_view" => "large_binary",
        "large_string" | "large_binary" => return Ok(array.clone()),
        _ if kind.starts_with("fixed_size_binary[") => "large_binary",
        _ if kind.starts_with("dictionary<") => {
            let words = large(&array.getattr("dictionary")?)?;
            return words.call_method1("take", (array.getattr("indices")?,));
        }
        _ => {
            let text = format!("expected an Arrow array of texts or bytes, not of {kind}");
            return Err(PyTypeError::new_err(text));
        }
    };
    array.call_method1("cast", (wanted,))
}

/// The numbers of a buffer of pyarrow. It may begin at any address, and end with part of a number.
fn numbers<'py>(buffer: &Bound<'py, PyAny>) -> PyResult<PyReadonlyArrayDyn<'py, i64>> {
    let (numpy, count) = (arrays::numpy(buffer.py())?, buffer.len()? / size_of::<i64>());
    let array = numpy.call_method1("frombuffer", (buffer, "=i8", count))?;
    let array = numpy.call_method1("require", (array, "=i8", "A"))?;
    arrays::readonly("fens", array.cast_into::<PyArrayDyn<i64>>()?)
}

/// Checks that offsets ascend, and that they end within the data.
fn check(offsets: &[i64], len: usize) -> PyResult<()> {
    let mut last = 0;
    for (row, &offset) in offsets.iter().enumerate() {
        if offset < last {
            let text = format!("offsets[{row}] is {offset}, less than {last}");
            return Err(PyValueError::new_err(format!("{text}: offsets must ascend")));
        }
        last = offset;
    }
    if usize::try_from(last).is_ok_and(|last| last <= len) {
        return Ok(());
    }
    let text = format!("the last offset is {last}, but there are only {len} bytes");
    Err(PyValueError::new_err(text))
}

/// The text of an object.
fn of_object<'a>(object: &'a Bound<'_, PyAny>) -> Row<'a> {
    if let Ok(bytes) = object.cast::<PyBytes>() {
        return Row::Bytes(bytes.as_bytes());
    }
    let text = object.cast::<PyString>().ok().and_then(|text| text.to_str().ok());
    text.map_or(Row::Nothing(object.as_unbound()), Row::Text)
}

/// Why an object has no text.
fn why_no_text(object: &Bound<'_, PyAny>) -> String {
    if object.is_instance_of::<PyString>() {
        return NOT_UTF8.to_owned();
    }
    if object.is_none() {
        return MISSING.to_owned();
    }
    format!("expected a text, not {}", object.get_type())
}

/// The reasons why a row has no text.
const MISSING: &str = "the value is missing";
const NOT_UTF8: &str = "the text is not UTF-8";
const OUTSIDE: &str = "the text lies outside the data";

/// Texts that threads can share.
pub(super) enum Part<'a> {
    Objects(Vec<Row<'a>>),
    Bytes {
        values: &'a [u8],
        width: usize,
    },
    Characters {
        values: &'a [u32],
        width: usize,
    },
    Offsets {
        data: &'a [u8],
        /// Where each text begins, and where the last one ends.
        offsets: &'a [i64],
        /// Arrow's bitmap of the rows that are not null, and the number of the first row's bit.
        valid: Option<(&'a [u8], usize)>,
    },
}

impl<'a> Part<'a> {
    /// The number of texts.
    pub(super) fn rows(&self) -> usize {
        match self {
            Self::Objects(rows) => rows.len(),
            Self::Bytes { values, width } => values.len() / width,
            Self::Characters { values, width } => values.len() / width,
            Self::Offsets { offsets, .. } => offsets.len() - 1,
        }
    }

    /// A text. `buffer` is room for texts that have to be converted.
    ///
    /// # Errors
    /// The reason why there is none.
    #[inline]
    pub(super) fn get<'s>(
        &'s self,
        row: usize,
        buffer: &'s mut String,
    ) -> Result<&'s str, Reason<'a>> {
        let bytes = match self {
            Self::Objects(rows) => match rows.get(row) {
                Some(Row::Text(text)) => return Ok(text),
                Some(Row::Bytes(bytes)) => bytes,
                Some(Row::Nothing(object)) => return Err(Reason::Object(object, why_no_text)),
                None => return Err(OUTSIDE.into()),
            },
            Self::Bytes { values, width } => {
                let text = values.get(row * width..(row + 1) * width).ok_or(OUTSIDE)?;
                let end = text.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
                &text[..end]
            }
            Self::Characters { values, width } => {
                let text = values.get(row * width..(row + 1) * width).ok_or(OUTSIDE)?;
                let end = text.iter().rposition(|&code| code != 0).map_or(0, |last| last + 1);
                buffer.clear();
                for &code in &text[..end] {
                    buffer.push(char::from_u32(code).ok_or(NOT_UTF8)?);
                }
                return Ok(buffer);
            }
            Self::Offsets { .. } => self.bytes(row)?,
        };
        // Other threads and processes may write to the array. Only a copy stays as it was checked.
        let mut copy = std::mem::take(buffer).into_bytes();
        copy.clear();
        copy.extend_from_slice(bytes);
        *buffer = String::from_utf8(copy).map_err(|_| NOT_UTF8)?;
        Ok(buffer)
    }

    /// The bytes of a row that is given as bytes with offsets.
    ///
    /// # Errors
    /// The reason why there are none.
    #[inline]
    pub(super) fn bytes(&self, row: usize) -> Result<&'a [u8], &'static str> {
        let Self::Offsets { data, offsets, valid } = self else { return Err(OUTSIDE) };
        check_validity(*valid, row)?;
        between(data, offsets, row).ok_or(OUTSIDE)
    }

    /// The text for messages, as far as it can be read.
    pub(super) fn show(&self, row: usize) -> String {
        let bytes = match self {
            Self::Objects(rows) => match rows.get(row) {
                Some(Row::Text(text)) => Some(text.as_bytes()),
                Some(Row::Bytes(bytes)) => Some(*bytes),
                Some(Row::Nothing(_)) | None => None,
            },
            Self::Bytes { values, width } => values.get(row * width..(row + 1) * width),
            Self::Offsets { data, offsets, .. } => between(data, offsets, row),
            Self::Characters { values, width } => {
                let codes = values.get(row * width..(row + 1) * width).unwrap_or_default();
                let letter = |&code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                let text: String = codes.iter().map(letter).collect();
                return text.trim_end_matches('\0').to_owned();
            }
        };
        // A copy, as in [`get`](Self::get).
        let bytes = bytes.unwrap_or_default().to_vec();
        let text = String::from_utf8_lossy(&bytes);
        text.trim_end_matches('\0').to_owned()
    }
}

/// The bytes of a row. Other threads may write to the offsets.
fn between<'a>(data: &'a [u8], offsets: &[i64], row: usize) -> Option<&'a [u8]> {
    let end = |row: usize| usize::try_from(*offsets.get(row)?).ok();
    data.get(end(row)?..end(row + 1)?)
}

fn check_validity(valid: Option<(&[u8], usize)>, row: usize) -> Result<(), &'static str> {
    let Some((bits, first)) = valid else { return Ok(()) };
    let bit = first + row;
    let is_valid = bits.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 == 1);
    if is_valid { Ok(()) } else { Err(MISSING) }
}
