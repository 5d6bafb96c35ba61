//! The site: it is built, and all its links hold.

use super::{Failure, Form};
use crate::site;

pub(super) fn build(_: &Form) -> Result<(), Failure> {
    let environment = site::prepare().map_err(Failure::Missing)?;
    site::build(&environment)?;
    Ok(site::check()?)
}
