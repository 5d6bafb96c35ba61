//! The site: it is built, and all its links hold.

use super::{Failure, Form};
use crate::site;

pub(super) fn build(_: &Form) -> Result<(), Failure> {
    Ok(site::build(&site::prepare().map_err(Failure::Missing)?)?)
}
