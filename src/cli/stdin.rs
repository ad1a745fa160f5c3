//! Reads all of stdin. A large stream goes into memory that the kernel is asked to
//! give in huge pages: taken one small page after the other, the memory costs more
//! time than checking what is in it.

use std::fs::File;
use std::io::{IsTerminal, Read};
use std::ops::Deref;

use germ_post::diagnostic::Diagnostic;
use memmap2::MmapMut;

/// From this many bytes on a stream is large. Most releases are below it, and a
/// few huge pages, each of 2 MiB, would waste more than they save.
const LARGE: usize = 4 << 20;

/// What stdin held.
pub enum Input {
    /// A stream of usual size.
    Small(Vec<u8>),
    /// A large one: so many bytes at the start of the memory.
    Large(MmapMut, usize),
}

impl Deref for Input {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Small(bytes) => bytes,
            Self::Large(memory, length) => &memory[..*length],
        }
    }
}

impl Default for Input {
    fn default() -> Self {
        Self::Small(Vec::new())
    }
}

/// All of stdin. A terminal is refused: reading from it would seem to hang.
pub fn read() -> Result<Input, Diagnostic> {
    let stdin = std::io::stdin();
    if stdin.is_terminal() {
        let message = "stdin is a terminal; germ-post reads rendered manifests from a pipe";
        return Err(Diagnostic::input("stdin-is-terminal", message)
            .help("helm template RELEASE CHART | germ-post --profile talos")
            .help("`germ-post --help` lists what else it does"));
    }
    file_of(&stdin)
        .and_then(|mut file| {
            // Of a pipe nobody knows the length.
            let length = file.metadata().map_or(0, |metadata| metadata.len());
            read_all(&mut file, usize::try_from(length).unwrap_or(0))
        })
        .map_err(|error| Diagnostic::input("stdin-unreadable", format!("cannot read stdin: {error}")))
}

/// Reads to the end what is about `expected` bytes long.
fn read_all(from: &mut impl Read, expected: usize) -> std::io::Result<Input> {
    let mut start = Vec::new();
    if expected < LARGE {
        // One byte more tells the end without growing.
        start.reserve_exact(expected + 1);
        from.take(LARGE as u64).read_to_end(&mut start)?;
        if start.len() < LARGE {
            return Ok(Input::Small(start));
        }
    }
    // Memory that nothing is written to costs nothing.
    let Some(mut memory) = huge(expected.max(16 * LARGE) + 1) else {
        from.read_to_end(&mut start)?;
        return Ok(Input::Small(start));
    };
    memory[..start.len()].copy_from_slice(&start);
    let mut length = start.len();
    loop {
        if length == memory.len() {
            let Some(mut larger) = huge(memory.len() * 4) else {
                let mut bytes = memory.to_vec();
                from.read_to_end(&mut bytes)?;
                return Ok(Input::Small(bytes));
            };
            larger[..length].copy_from_slice(&memory);
            memory = larger;
        }
        match from.read(&mut memory[length..]) {
            Ok(0) => return Ok(Input::Large(memory, length)),
            Ok(read) => length += read,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// So much fresh memory, in huge pages where there are any.
fn huge(length: usize) -> Option<MmapMut> {
    let memory = MmapMut::map_anon(length).ok()?;
    #[cfg(target_os = "linux")]
    {
        // A kernel without them gives small ones.
        let _ = memory.advise(memmap2::Advice::HugePage);
    }
    Some(memory)
}

/// One of the standard streams as a file, past what std puts in between.
#[cfg(unix)]
pub fn file_of(standard: &impl std::os::fd::AsFd) -> std::io::Result<File> {
    standard.as_fd().try_clone_to_owned().map(File::from)
}

/// One of the standard streams as a file, past what std puts in between.
#[cfg(windows)]
pub fn file_of(standard: &impl std::os::windows::io::AsHandle) -> std::io::Result<File> {
    standard.as_handle().try_clone_to_owned().map(File::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives bytes in portions of odd sizes, as a pipe does.
    struct Portions<'a>(&'a [u8]);

    impl Read for Portions<'_> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let count = self.0.len().min(into.len()).min(65_521);
            into[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    #[test]
    fn every_length_is_read_whole() {
        let bytes: Vec<u8> = (0..17 * LARGE).map(|index| (index % 251) as u8).collect();
        for length in
            [0, 1, LARGE - 1, LARGE, LARGE + 1, 16 * LARGE, 16 * LARGE + 1, 16 * LARGE + 2, 17 * LARGE]
        {
            // A file tells its length, a pipe none; a file that is being written tells a wrong one.
            for expected in [0, 5, length, length + 7] {
                let read = read_all(&mut Portions(&bytes[..length]), expected).unwrap();
                assert!(*read == bytes[..length], "{length} bytes, {expected} expected");
                assert_eq!(matches!(read, Input::Large(..)), length >= LARGE || expected >= LARGE);
            }
        }
    }

    #[test]
    fn an_error_in_the_middle_is_told() {
        struct Broken(usize);
        impl Read for Broken {
            fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
                if self.0 == 0 {
                    return Err(std::io::Error::other("gone"));
                }
                let count = self.0.min(into.len());
                self.0 -= count;
                Ok(count)
            }
        }
        for length in [0, 10, LARGE, 2 * LARGE] {
            assert!(read_all(&mut Broken(length), 0).is_err());
            assert!(read_all(&mut Broken(length), length).is_err());
        }
    }
}
