//! Where tables come from.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use crate::material::{NameError, TableFile};

/// A place with tables: a folder, memory, or your own.
///
/// ```
/// use tabiya_syzygy::{Source, TableFile, Tables};
///
/// /// Tables that are part of the program.
/// struct BuiltIn(&'static [(&'static str, &'static [u8])]);
///
/// impl Source for BuiltIn {
///     type Bytes = &'static [u8];
///
///     fn files(&self) -> Vec<TableFile> {
///         self.0.iter().filter_map(|(name, _)| name.parse().ok()).collect()
///     }
///
///     fn read(&self, file: TableFile) -> std::io::Result<&'static [u8]> {
///         let found = self.0.iter().find(|(name, _)| name.parse() == Ok(file));
///         Ok(found.ok_or(std::io::ErrorKind::NotFound)?.1)
///     }
/// }
///
/// assert_eq!(Tables::new(BuiltIn(&[])).pieces(), 0);
/// ```
pub trait Source {
    /// The contents of a file.
    type Bytes: AsRef<[u8]>;

    /// The files that there are. [`Tables`](crate::Tables) asks once, and ignores any whose material
    /// isn't among [`Material::all`](crate::Material::all).
    fn files(&self) -> Vec<TableFile>;

    /// The contents of one of them. [`Tables`](crate::Tables) asks when it first needs it, and
    /// never again.
    ///
    /// # Errors
    /// Whatever keeps the source from reading it.
    fn read(&self, file: TableFile) -> io::Result<Self::Bytes>;
}

/// Tables in memory.
///
/// ```
/// use tabiya_syzygy::Memory;
/// let mut memory = Memory::default();
/// assert!(memory.add("KRvK.rtbw", vec![0; 80]).is_ok());
/// assert!(memory.add("KvKR.rtbw", vec![]).is_err());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Memory {
    files: HashMap<TableFile, Arc<[u8]>>,
}

impl Memory {
    /// Adds a file, such as `KRvK.rtbw`, in place of another one with this name.
    ///
    /// # Errors
    /// [`NameError`] if this isn't the name of a table.
    pub fn add(&mut self, name: &str, bytes: impl Into<Arc<[u8]>>) -> Result<(), NameError> {
        self.files.insert(name.parse()?, bytes.into());
        Ok(())
    }
}

impl Source for Memory {
    type Bytes = Arc<[u8]>;

    fn files(&self) -> Vec<TableFile> {
        self.files.keys().copied().collect()
    }

    fn read(&self, file: TableFile) -> io::Result<Arc<[u8]>> {
        self.files.get(&file).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

#[cfg(feature = "folder")]
#[cfg_attr(docsrs, doc(cfg(feature = "folder")))]
pub use folder::Folder;

#[cfg(feature = "folder")]
mod folder {
    use std::collections::HashMap;
    use std::fs::{self, File};
    use std::io;
    use std::path::{Path, PathBuf};

    use memmap2::Mmap;

    use super::Source;
    use crate::material::TableFile;

    /// Tables in folders. A file is mapped into memory when it's first needed, so the system reads
    /// only what look-ups touch.
    ///
    /// Files with other names are ignored. **The files mustn't change while they're mapped**: a
    /// look-up could give a wrong answer, and a file that's cut short stops the program, as with
    /// every mapped file. To replace a table, write another file and rename it.
    #[derive(Clone, Debug, Default)]
    pub struct Folder {
        files: HashMap<TableFile, PathBuf>,
    }

    impl Folder {
        /// The tables of one folder, without those in folders inside it.
        ///
        /// # Errors
        /// Whatever keeps the system from listing it.
        pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
            Self::default().and(path)
        }

        /// Adds the tables of another folder. If both have a file, the earlier folder's is read.
        ///
        /// # Errors
        /// Whatever keeps the system from listing it.
        pub fn and(mut self, path: impl AsRef<Path>) -> io::Result<Self> {
            for entry in fs::read_dir(path)? {
                let entry = entry?;
                let file = entry.file_name().to_str().and_then(|name| name.parse().ok());
                if let Some(file) = file {
                    self.files.entry(file).or_insert_with(|| entry.path());
                }
            }
            Ok(self)
        }
    }

    impl Source for Folder {
        type Bytes = Mmap;

        fn files(&self) -> Vec<TableFile> {
            self.files.keys().copied().collect()
        }

        #[expect(unsafe_code, reason = "mapping a file")]
        fn read(&self, file: TableFile) -> io::Result<Mmap> {
            let path = self.files.get(&file).ok_or(io::ErrorKind::NotFound)?;
            let file = File::open(path)?;
            // SAFETY: the map is only read, as bytes without any meaning that they must have. What's
            // left is that nobody changes the file, which the type's documentation asks for.
            unsafe { Mmap::map(&file) }
        }
    }
}
