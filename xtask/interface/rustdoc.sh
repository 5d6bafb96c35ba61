#!/bin/sh
# rustdoc that may write JSON, which it otherwise does only if it is a nightly one.
RUSTC_BOOTSTRAP=1 exec rustdoc "$@"
