//! Writing a file as a whole, and the errors of a full disk.

use std::fs::{self, File, Metadata, Permissions};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Is the disk full, or is a quota or a file size limit reached?
pub(crate) fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge
    )
}

/// A place where a file is to be written as a whole.
///
/// * A regular file is written next to its place and then renamed, so no reader sees a part of it.
///   The new file has the mode of the old one.
/// * Anything else, such as a pipe, a device or a symbolic link, is written through.
/// * Folders and read-only files are refused, even if the system would let the user write to them.
///
/// ```
/// use tabiya_runs::OutputFile;
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("text");
/// OutputFile::at(&path)?.write(&mut &b"all or nothing"[..])?;
/// assert_eq!(std::fs::read_to_string(path)?, "all or nothing");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct OutputFile(Place);

#[derive(Debug)]
enum Place {
    /// A regular file with its mode, or nothing.
    File { path: PathBuf, mode: Option<Permissions> },
    /// Anything else, opened.
    Through(File),
}

impl OutputFile {
    /// Finds out how a path can be written. Nothing is written yet, but what isn't a regular file is
    /// opened: a pipe waits for a reader.
    ///
    /// # Errors
    /// An error of the system, or one that says that the path is a folder or a read-only file.
    pub fn at(path: &Path) -> io::Result<Self> {
        let before = match fs::metadata(path) {
            Ok(before) => Some(before),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if let Some(before) = &before {
            refuse_folder(before)?;
            refuse_read_only(before)?;
        }
        match fs::symlink_metadata(path) {
            Ok(found) if !found.is_file() => {
                let through =
                    File::options().write(true).create(true).truncate(false).open(path)?;
                Ok(Self(Place::Through(through)))
            }
            _ => {
                let mode = before.map(|before| before.permissions());
                Ok(Self(Place::File { path: path.into(), mode }))
            }
        }
    }

    /// The folder of the file, which is on the same disk and can hold an unfinished copy; `None`
    /// if the file is written through.
    pub fn folder(&self) -> Option<&Path> {
        match &self.0 {
            Place::File { path, .. } => Some(folder_of(path)),
            Place::Through(_) => None,
        }
    }

    /// Writes all of `contents`, and returns the number of bytes. A regular file is on the disk when
    /// this returns.
    ///
    /// # Errors
    /// An error of the system. A regular file is then unchanged.
    pub fn write(self, contents: &mut impl Read) -> io::Result<u64> {
        self.write_with(|file| io::copy(contents, file))
    }

    /// Writes what `fill` writes. A regular file is on the disk when this returns.
    ///
    /// # Errors
    /// An error of the system, or of `fill`. A regular file is then unchanged.
    pub fn write_with<T>(self, fill: impl FnOnce(&mut File) -> io::Result<T>) -> io::Result<T> {
        match self.0 {
            Place::Through(file) => fill(&mut emptied(file)?),
            Place::File { path, mode } => {
                // The temporary file is removed if anything fails.
                let new = new_file().tempfile_in(folder_of(&path));
                let mut new = new.map_err(|error| reason(&error))?;
                // The errors of the file itself do not name it.
                let result = fill(new.as_file_mut())?;
                if let Some(mode) = mode {
                    new.as_file().set_permissions(mode)?;
                }
                new.as_file().sync_all()?;
                new.persist(&path).map_err(|error| error.error)?;
                Ok(result)
            }
        }
    }

    /// Opens the place for text that is written piece by piece and read at the same time, such as a
    /// log. A regular file is emptied.
    ///
    /// # Errors
    /// An error of the system.
    pub fn open(self) -> io::Result<File> {
        match self.0 {
            Place::Through(file) => emptied(file),
            Place::File { path, .. } => File::create(path),
        }
    }
}

/// The file without its contents, if it has any: a link may lead to a regular file.
fn emptied(file: File) -> io::Result<File> {
    if file.metadata()?.is_file() {
        file.set_len(0)?;
    }
    Ok(file)
}

/// Returns an error if the mode bits let no user write to the file. An administrator could still
/// write to it.
pub(crate) fn refuse_read_only(found: &Metadata) -> io::Result<()> {
    if found.permissions().readonly() {
        return Err(io::Error::new(ErrorKind::PermissionDenied, "it is read-only"));
    }
    Ok(())
}

/// Returns an error if this is a folder.
pub(crate) fn refuse_folder(found: &Metadata) -> io::Result<()> {
    if found.is_dir() {
        return Err(io::Error::new(ErrorKind::IsADirectory, "it is a directory"));
    }
    Ok(())
}

/// The error of the system, without the name of a temporary file, which would mean nothing to the
/// user.
pub(crate) fn reason(error: &io::Error) -> io::Error {
    // The library for temporary files provides the system's error only as text.
    let text = error.to_string();
    let end = text.rfind(" at path ").unwrap_or(text.len());
    io::Error::new(error.kind(), &text[..end])
}

/// The folder in which a path is.
pub(crate) fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Creates temporary files with the permissions of ordinary new files. The system applies the
/// user's mask.
pub(crate) fn new_file() -> tempfile::Builder<'static, 'static> {
    #[cfg_attr(not(unix), expect(unused_mut))]
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    use std::process::Command;
    use std::thread;

    use super::*;

    fn write(path: &Path, text: &str) -> io::Result<u64> {
        OutputFile::at(path)?.write(&mut text.as_bytes())
    }

    fn read(path: &Path) -> String {
        fs::read_to_string(path).unwrap()
    }

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().mode() & 0o7777
    }

    #[test]
    fn a_regular_file_is_replaced_and_keeps_its_mode() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        assert_eq!(write(&path, "first").unwrap(), 5);
        let usual = folder.path().join("usual");
        File::create(&usual).unwrap();
        assert_eq!(mode(&path), mode(&usual), "a new file has the usual mode");
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        let before = fs::metadata(&path).unwrap();
        let mut reader = File::open(&path).unwrap();
        write(&path, "second").unwrap();
        assert_eq!((read(&path).as_str(), mode(&path)), ("second", 0o640));
        assert_ne!(fs::metadata(&path).unwrap().ino(), before.ino());
        // A reader that opened the old file still sees all of it.
        let mut old = String::new();
        reader.read_to_string(&mut old).unwrap();
        assert_eq!(old, "first");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    /// Input that ends with an error.
    struct Broken;

    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("broken"))
        }
    }

    #[test]
    fn a_file_stays_as_it_was_if_anything_fails() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        write(&path, "first").unwrap();
        let error = OutputFile::at(&path).unwrap().write(&mut b"second".chain(Broken));
        assert_eq!(error.unwrap_err().to_string(), "broken");
        assert_eq!(read(&path), "first");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn an_error_names_no_temporary_file() {
        let folder = tempfile::tempdir().unwrap();
        let error = write(&folder.path().join("missing/file"), "text").unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound);
        assert!(!error.to_string().contains(".tmp"), "{error}");
        assert!(error.to_string().contains("os error"), "{error}");
    }

    #[test]
    fn links_stay_and_what_they_lead_to_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("sub")).unwrap();
        symlink("second", at("first")).unwrap();
        symlink("sub/target", at("second")).unwrap();
        // The target does not exist at first.
        for text in ["one", "two"] {
            write(&at("first"), text).unwrap();
            assert_eq!(read(&at("sub/target")), text);
            assert!(fs::symlink_metadata(at("first")).unwrap().is_symlink());
            assert!(fs::symlink_metadata(at("second")).unwrap().is_symlink());
        }
        symlink("circle", at("circle")).unwrap();
        assert!(write(&at("circle"), "text").is_err());
        symlink("nowhere/target", at("lost")).unwrap();
        assert!(write(&at("lost"), "text").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 5);
    }

    #[test]
    fn folders_and_read_only_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let error = write(folder.path(), "text").unwrap_err();
        assert_eq!(error.to_string(), "it is a directory");
        let path = folder.path().join("file");
        write(&path, "first").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o444)).unwrap();
        let link = folder.path().join("link");
        symlink("file", &link).unwrap();
        for path in [&path, &link] {
            assert_eq!(write(path, "second").unwrap_err().to_string(), "it is read-only");
            assert!(OutputFile::at(path).is_err());
        }
        assert_eq!((read(&path).as_str(), mode(&path)), ("first", 0o444));
    }

    #[test]
    fn pipes_are_written_to() {
        use std::os::unix::fs::FileTypeExt;

        let folder = tempfile::tempdir().unwrap();
        let (pipe, link) = (folder.path().join("pipe"), folder.path().join("link"));
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        symlink("pipe", &link).unwrap();
        for path in [&pipe, &link] {
            let reader = thread::spawn({
                let pipe = pipe.clone();
                move || read(&pipe)
            });
            write(path, "text").unwrap();
            assert_eq!(reader.join().unwrap(), "text");
            assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
