//! Texts that a caller gives: lists, NumPy arrays, Arrow arrays, and bytes with offsets.

use numpy::{PyArrayDyn, PyReadonlyArrayDyn, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{
    PyImportError, PyNotImplementedError, PyOverflowError, PyTypeError, PyValueError,
};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyList, PyString};

use super::reason::Reason;
use crate::{arrays, errors, memory};

/// Texts, in the objects that hold them. They are read without a copy whenever possible.
pub(super) enum Texts<'py> {
    /// Python objects.
    Objects(Vec<Bound<'py, PyAny>>),
    /// A NumPy array of bytes of fixed width.
    Bytes { values: PyReadonlyArrayDyn<'py, u8>, width: usize },
    /// A NumPy array of characters of fixed width.
    Characters { values: PyReadonlyArrayDyn<'py, u32>, width: usize },
    /// Bytes, and the places where the texts begin and end in them.
    Offsets { data: PyReadonlyArrayDyn<'py, u8>, offsets: Offsets<'py>, valid: Validity<'py> },
    /// Arrow's views: short texts in place, long ones in buffers.
    Views {
        views: PyReadonlyArrayDyn<'py, u8>,
        first: usize,
        rows: usize,
        buffers: Vec<PyReadonlyArrayDyn<'py, u8>>,
        valid: Validity<'py>,
    },
    /// A number of missing texts.
    Missing(usize),
    /// One after the other.
    Parts(Vec<Self>),
}

/// The places where texts begin and end.
pub(super) enum Offsets<'py> {
    Short { values: PyReadonlyArrayDyn<'py, i32>, first: usize, rows: usize },
    Long { values: PyReadonlyArrayDyn<'py, i64>, first: usize, rows: usize },
}

/// Arrow's bitmap of the rows that are not null, and the number of the first row's bit.
pub(super) struct Validity<'py>(Option<(PyReadonlyArrayDyn<'py, u8>, usize)>);

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
            return memory::collect(py, list.iter().map(PyResult::Ok)).map(Self::Objects);
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
        memory::collect(py, items).map(Self::Objects)
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
            "U" | "S" if bytes == 0 => {
                let empty = PyString::new(py, "").into_any();
                memory::filled(py, array.len(), &empty).map(Self::Objects)
            }
            "U" => {
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
            "S" => {
                let whole = arrays::numpy(py)?.call_method1("ascontiguousarray", (array,))?;
                let values = whole.call_method1("view", ("u1",))?.cast_into::<PyArrayDyn<u8>>()?;
                Ok(Self::Bytes { values: arrays::readonly("fens", values)?, width: bytes })
            }
            "O" | "T" => {
                let list = array.call_method0("tolist")?.cast_into::<PyList>()?;
                memory::collect(py, list.iter().map(PyResult::Ok)).map(Self::Objects)
            }
            _ => Err(PyTypeError::new_err(format!("expected an array of texts, not of {dtype}"))),
        }
    }

    /// The texts of an Arrow array; `None` if the object is not one, or if pyarrow is not
    /// installed.
    fn arrow(object: &Bound<'py, PyAny>) -> PyResult<Option<Self>> {
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
        let kind = array.getattr("type")?.to_string();
        if kind.starts_with("dictionary<") {
            return Self::chunk(&decoded(array)?);
        }
        let rows = array.len()?;
        let first: usize = array.getattr("offset")?.extract()?;
        let list: Vec<Option<Bound<'py, PyAny>>> = array.call_method0("buffers")?.extract()?;
        let buffer = |number: usize| list.get(number).and_then(Option::as_ref);
        let bytes = |number: usize| match buffer(number) {
            Some(buffer) => arrays::bytes("fens", buffer),
            None => arrays::bytes("fens", PyBytes::new(array.py(), b"").as_any()),
        };
        let valid = match buffer(0) {
            Some(bits) => Validity(Some((arrays::bytes("fens", bits)?, first))),
            None => Validity(None),
        };
        match kind.as_str() {
            // The buffers of an empty array may be empty.
            "null" | "string" | "large_string" | "string_view" | "binary" | "large_binary"
            | "binary_view"
                if rows == 0 =>
            {
                Ok(Self::Missing(0))
            }
            "null" => Ok(Self::Missing(rows)),
            "string" | "binary" => {
                let offsets = Offsets::Short { values: numbers(buffer(1), "=i4")?, first, rows };
                Ok(Self::Offsets { data: bytes(2)?, offsets, valid })
            }
            "large_string" | "large_binary" => {
                let offsets = Offsets::Long { values: numbers(buffer(1), "=i8")?, first, rows };
                Ok(Self::Offsets { data: bytes(2)?, offsets, valid })
            }
            "string_view" | "binary_view" => {
                let buffers = (2..list.len()).map(bytes).collect::<PyResult<_>>()?;
                Ok(Self::Views { views: bytes(1)?, first, rows, buffers, valid })
            }
            _ => Err(PyTypeError::new_err(format!(
                "expected an Arrow array of texts, not of {kind}"
            ))),
        }
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
        let kind = array.getattr("dtype")?;
        let (dimensions, size): (usize, usize) =
            (array.getattr("ndim")?.extract()?, array.getattr("size")?.extract()?);
        if dimensions != 1 || size == 0 {
            let text = "offsets: expected one dimension with at least one number";
            return Err(PyValueError::new_err(text));
        }
        let rows = size - 1;
        let offsets = if kind.to_string() == "int32" {
            Offsets::Short { values: arrays::input("offsets", &array)?, first: 0, rows }
        } else {
            Offsets::Long { values: arrays::input("offsets", &array)?, first: 0, rows }
        };
        offsets.check(data.len())?;
        Ok(Self::Offsets { data, offsets, valid: Validity(None) })
    }

    /// The texts as parts that threads can share.
    ///
    /// # Errors
    /// `ValueError`: an array is not contiguous. `MemoryError`.
    pub(super) fn parts<'a>(&'a self, py: Python<'_>, parts: &mut Vec<Part<'a>>) -> PyResult<()> {
        parts.push(match self {
            Self::Parts(all) => return all.iter().try_for_each(|part| part.parts(py, parts)),
            Self::Objects(objects) => {
                let rows = objects.iter().map(|object| PyResult::Ok(of_object(object)));
                Part::Objects(memory::collect(py, rows)?)
            }
            Self::Bytes { values, width } => {
                Part::Bytes { values: values.as_slice()?, width: *width }
            }
            Self::Characters { values, width } => {
                Part::Characters { values: values.as_slice()?, width: *width }
            }
            Self::Offsets { data, offsets, valid } => Part::Offsets {
                data: data.as_slice()?,
                offsets: offsets.numbers()?,
                valid: valid.bits()?,
            },
            Self::Views { views, first, rows, buffers, valid } => Part::Views {
                views: views.as_slice()?.as_chunks().0.get(*first..).unwrap_or_default(),
                rows: *rows,
                buffers: buffers.iter().map(|it| it.as_slice()).collect::<Result<_, _>>()?,
                valid: valid.bits()?,
            },
            Self::Missing(rows) => Part::Missing(*rows),
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

/// An array of pyarrow without its dictionary.
fn decoded<'py>(array: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let dictionary = array.getattr("dictionary")?;
    // pyarrow cannot decode a dictionary of views, such as that of a categorical column of polars.
    let plain = match dictionary.getattr("type")?.to_string().as_str() {
        "string_view" => dictionary.call_method1("cast", ("large_string",))?,
        "binary_view" => dictionary.call_method1("cast", ("large_binary",))?,
        _ => return array.call_method0("dictionary_decode"),
    };
    plain.call_method1("take", (array.getattr("indices")?,))
}

/// The numbers of a buffer of pyarrow. It may begin at any address, and end with part of a number.
fn numbers<'py, T: numpy::Element>(
    buffer: Option<&Bound<'py, PyAny>>,
    kind: &str,
) -> PyResult<PyReadonlyArrayDyn<'py, T>> {
    let count = buffer.map(|it| it.len()).transpose()?.unwrap_or_default() / size_of::<T>();
    let Some(buffer) = buffer.filter(|_| count > 0) else {
        return Err(PyValueError::new_err("the Arrow array has no offsets"));
    };
    let numpy = arrays::numpy(buffer.py())?;
    let array = numpy.call_method1("frombuffer", (buffer, kind, count))?;
    let array = numpy.call_method1("require", (array, kind, "A"))?;
    arrays::readonly("fens", array.cast_into::<PyArrayDyn<T>>()?)
}

impl Offsets<'_> {
    fn numbers(&self) -> PyResult<Numbers<'_>> {
        Ok(match self {
            Self::Short { values, first, rows } => {
                let values = values.as_slice()?.get(*first..).unwrap_or_default();
                Numbers::Short { values, rows: *rows }
            }
            Self::Long { values, first, rows } => {
                let values = values.as_slice()?.get(*first..).unwrap_or_default();
                Numbers::Long { values, rows: *rows }
            }
        })
    }

    /// Checks that the offsets ascend, and that they end within the data.
    fn check(&self, len: usize) -> PyResult<()> {
        fn check<T: Copy + Into<i64>>(offsets: &[T], len: usize) -> PyResult<()> {
            let mut last = 0;
            for (row, &offset) in offsets.iter().enumerate() {
                let offset: i64 = offset.into();
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
        match self.numbers()? {
            Numbers::Short { values, .. } => check(values, len),
            Numbers::Long { values, .. } => check(values, len),
        }
    }
}

impl Validity<'_> {
    fn bits(&self) -> PyResult<Option<(&[u8], usize)>> {
        self.0.as_ref().map(|(bits, first)| Ok((bits.as_slice()?, *first))).transpose()
    }
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
const MISSING: &str = "the text is missing";
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
        offsets: Numbers<'a>,
        valid: Option<(&'a [u8], usize)>,
    },
    Views {
        views: &'a [[u8; 16]],
        rows: usize,
        buffers: Vec<&'a [u8]>,
        valid: Option<(&'a [u8], usize)>,
    },
    Missing(usize),
}

/// Offsets of one of two widths.
#[derive(Clone, Copy)]
pub(super) enum Numbers<'a> {
    Short { values: &'a [i32], rows: usize },
    Long { values: &'a [i64], rows: usize },
}

impl Numbers<'_> {
    const fn rows(self) -> usize {
        match self {
            Self::Short { rows, .. } | Self::Long { rows, .. } => rows,
        }
    }

    fn get(self, row: usize) -> Option<usize> {
        match self {
            Self::Short { values, .. } => usize::try_from(*values.get(row)?).ok(),
            Self::Long { values, .. } => usize::try_from(*values.get(row)?).ok(),
        }
    }
}

impl<'a> Part<'a> {
    /// The number of texts.
    pub(super) fn rows(&self) -> usize {
        match self {
            Self::Objects(rows) => rows.len(),
            Self::Bytes { values, width } => values.len() / width,
            Self::Characters { values, width } => values.len() / width,
            Self::Offsets { offsets, .. } => offsets.rows(),
            Self::Views { rows, .. } | Self::Missing(rows) => *rows,
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
            Self::Offsets { data, offsets, valid } => {
                check_validity(*valid, row)?;
                let (start, end) = (offsets.get(row), offsets.get(row + 1));
                let span = start.zip(end).filter(|(start, end)| start <= end);
                span.and_then(|(start, end)| data.get(start..end)).ok_or(OUTSIDE)?
            }
            Self::Views { views, buffers, valid, .. } => {
                check_validity(*valid, row)?;
                let view = views.get(row).ok_or(OUTSIDE)?;
                viewed(view, buffers).ok_or(OUTSIDE)?
            }
            Self::Missing(_) => return Err(MISSING.into()),
        };
        // Other threads and processes may write to the array. Only a copy stays as it was checked.
        let mut copy = std::mem::take(buffer).into_bytes();
        copy.clear();
        copy.extend_from_slice(bytes);
        *buffer = String::from_utf8(copy).map_err(|_| NOT_UTF8)?;
        Ok(buffer)
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
            Self::Offsets { data, offsets, .. } => offsets
                .get(row)
                .zip(offsets.get(row + 1))
                .and_then(|(start, end)| data.get(start..end.max(start))),
            Self::Views { views, buffers, .. } => {
                views.get(row).and_then(|view| viewed(view, buffers))
            }
            Self::Characters { values, width } => {
                let codes = values.get(row * width..(row + 1) * width).unwrap_or_default();
                let letter = |&code| char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER);
                let text: String = codes.iter().map(letter).collect();
                return text.trim_end_matches('\0').to_owned();
            }
            Self::Missing(_) => None,
        };
        // A copy, as in [`get`](Self::get).
        let bytes = bytes.unwrap_or_default().to_vec();
        let text = String::from_utf8_lossy(&bytes);
        text.trim_end_matches('\0').to_owned()
    }
}

/// The bytes of a view: in place, or in one of the buffers.
fn viewed<'a>(view: &'a [u8; 16], buffers: &[&'a [u8]]) -> Option<&'a [u8]> {
    let word = |at: usize| {
        let bytes = view.get(at..at + 4)?.first_chunk()?;
        usize::try_from(i32::from_ne_bytes(*bytes)).ok()
    };
    let len = word(0)?;
    if len <= 12 {
        return view.get(4..4 + len);
    }
    let (buffer, start) = (word(8)?, word(12)?);
    buffers.get(buffer)?.get(start..start + len)
}

fn check_validity(valid: Option<(&[u8], usize)>, row: usize) -> Result<(), &'static str> {
    let Some((bits, first)) = valid else { return Ok(()) };
    let bit = first + row;
    let is_valid = bits.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 == 1);
    if is_valid { Ok(()) } else { Err(MISSING) }
}
