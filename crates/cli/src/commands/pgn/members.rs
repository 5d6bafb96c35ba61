//! Compressed files of several members, one after the other.

use std::io::{self, BufRead, Read};

use bzip2::bufread::BzDecoder;
use flate2::bufread::GzDecoder;

/// A decompressor of one member of a file. It is at its end when it reads nothing.
pub(super) trait Member: Read {
    type Input: BufRead;

    fn start(input: Self::Input) -> Self;
    fn input(&mut self) -> &mut Self::Input;
    fn into_input(self) -> Self::Input;
}

impl<R: BufRead> Member for GzDecoder<R> {
    type Input = R;

    fn start(input: R) -> Self {
        Self::new(input)
    }

    fn input(&mut self) -> &mut R {
        self.get_mut()
    }

    fn into_input(self) -> R {
        self.into_inner()
    }
}

impl<R: BufRead> Member for BzDecoder<R> {
    type Input = R;

    fn start(input: R) -> Self {
        Self::new(input)
    }

    fn input(&mut self) -> &mut R {
        self.get_mut()
    }

    fn into_input(self) -> R {
        self.into_inner()
    }
}

/// Decompresses any number of members. Zeros between and after them are padding, as on tapes.
pub(super) struct Members<M> {
    /// `None` only while it is being changed, or after an error.
    member: Option<M>,
}

impl<M: Member> Members<M> {
    pub(super) fn new(input: M::Input) -> Self {
        Self { member: Some(M::start(input)) }
    }
}

impl<M: Member> Read for Members<M> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while let Some(member) = &mut self.member {
            let len = member.read(buffer)?;
            if len > 0 {
                return Ok(len);
            }
            // The member ends here.
            let input = member.input();
            let (padding, is_end) = loop {
                let bytes = filled(input)?;
                let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
                if zeros == bytes.len() && zeros > 0 {
                    input.consume(zeros);
                    continue;
                }
                break (zeros, bytes.is_empty());
            };
            input.consume(padding);
            self.member = match self.member.take() {
                Some(member) if !is_end => Some(M::start(member.into_input())),
                _ => None,
            };
        }
        Ok(0)
    }
}

/// The next bytes of the input, at least one unless the input ends.
fn filled(input: &mut impl BufRead) -> io::Result<&[u8]> {
    loop {
        match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
            // Returning the first buffer would extend its borrow to the other arms.
            Ok(_) => return input.fill_buf(),
        }
    }
}
