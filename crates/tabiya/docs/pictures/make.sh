#!/bin/sh
# Draws the pictures of the guide with the commands in README.md, then writes data.md for rustdoc.
#   sh make.sh           draw the pictures and write data.md
#   sh make.sh --data    write data.md only
#   sh make.sh --check   fail if data.md does not fit the pictures
set -eu
cd "$(dirname "$0")"

tabiya() { cargo run --release --quiet --bin tabiya -- "$@"; }

# One reference definition per picture.
data() {
  for picture in *.svg; do
    printf '[%s]: data:image/svg+xml;base64,%s\n' "${picture%.svg}" "$(base64 "$picture" | tr -d '\n')"
  done
}

case "${1:-}" in
  "")
    commands=$(sed -n '/^```sh$/,/^```$/{/^```/d;p;}' README.md)
    eval "$commands"
    data >data.md
    ;;
  --data) data >data.md ;;
  --check)
    if ! data | cmp -s - data.md; then
      echo "data.md does not fit the pictures: run make.sh --data" >&2
      exit 1
    fi
    ;;
  *)
    echo "usage: sh make.sh [--data | --check]" >&2
    exit 2
    ;;
esac
