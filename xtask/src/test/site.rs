//! The site: it is built, all its links hold, and its search finds pages before items of an API.

use super::{Failure, Form};
use crate::site;

pub(super) fn build(_: &Form) -> Result<(), Failure> {
    Ok(site::build(&site::prepare().map_err(Failure::Missing)?)?)
}
