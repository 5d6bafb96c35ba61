//! The smallest table.

/// `KNvK.rtbw`, in which every position is drawn. Its checksum isn't right.
pub(crate) fn knight() -> Vec<u8> {
    let mut bytes = vec![0x71, 0xe8, 0x23, 0x5d, 0x31, 0, 0xee, 0x66, 0x22, 0, 0x80, 2, 0x80, 2];
    bytes.resize(80, 0);
    bytes
}
