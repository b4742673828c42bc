#!/usr/bin/env bash
# Unpacks programs of Debian's packages for tests, and installs nothing: an installed server would be started, on all addresses.
# unpack-debian.sh <package> <path of the program in it>
set -euo pipefail

package=$1
program=$2
command -v "$(basename "$program")" >/dev/null && exit 0
target=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/coinfront/debian/$package
[ -x "$target$program" ] && exit 0
command -v apt-get >/dev/null || { echo "$(basename "$program") is missing. Install it with your system's package manager." >&2; exit 1; }

echo "Unpacking $package ..."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ "$(id -u)" != 0 ] || chmod 755 "$work"
cd "$work"
apt-get download -qq "$package" >"$work/log" 2>&1 || {
  [ "$(id -u)" != 0 ] || apt-get update -qq >"$work/log" 2>&1
  apt-get download -qq "$package" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
}
mkdir -p "$(dirname "$target")"
dpkg-deb -x ./*.deb "$work/root"
rm -rf "$target"
mv "$work/root" "$target"
