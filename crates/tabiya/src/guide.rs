//! Guides: how to do common tasks, what to choose, and how move generation works.
//!
//! * [`how_do_i`]: short answers with examples
//! * [`cookbook`]: tasks from beginning to end, such as playing a game and embedding in a search
//! * [`coming_from`]: the names in shakmaty, cozy-chess and chess, and the corresponding names here
//! * [`choosing`]: copying or making and unmaking, sizes, slider methods
//! * [`stability`]: Rust versions, version numbers, keys and formats
//! * [`explained`]: move generation explained with pictures
//!
//! These modules exist only in the documentation.

pub mod how_do_i {
    #![doc = include_str!("../docs/how-do-i.md")]

    #[allow(unused_imports, reason = "links in the text")]
    use crate::*;
}

pub mod cookbook {
    #![doc = include_str!("../docs/cookbook.md")]

    #[allow(unused_imports, reason = "links in the text")]
    use crate::*;
}

pub mod coming_from {
    #![doc = include_str!("../docs/coming-from.md")]

    #[allow(unused_imports, reason = "links in the text")]
    use crate::*;
}

pub mod choosing {
    #![doc = include_str!("../docs/choosing.md")]

    #[allow(unused_imports, reason = "links in the text")]
    use crate::*;
}

pub mod stability {
    #![doc = include_str!("../docs/stability.md")]

    #[allow(unused_imports, reason = "links in the text")]
    use crate::*;
}

#[cfg_attr(not(doctest), doc = include_str!("../docs/pictures/data.md"))]
#[doc = include_str!("../docs/explained.md")]
pub mod explained {}
