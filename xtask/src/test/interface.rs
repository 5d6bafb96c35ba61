//! The public interfaces: what has changed since the last release has an entry in the changelog.

use super::{Failure, Form};
use crate::interface;

pub(super) fn check(_: &Form) -> Result<(), Failure> {
    interface::prepare().map_err(Failure::Missing)?;
    Ok(interface::check()?)
}
