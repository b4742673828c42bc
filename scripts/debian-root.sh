#!/usr/bin/env bash
# Makes an empty Debian for tests that boot one or build an image on it, with packages fetched that they install there.
# debian-root.sh <folder>; needs root and debootstrap. A folder that was made with the same packages is left as it is.
set -euo pipefail

target=$1
packages='libatomic1 ca-certificates curl litecoind nginx-light openssl prometheus prometheus-alertmanager postgresql'
[ "$(cat "$target/var/cache/apt/fetched" 2>/dev/null)" = "$packages" ] && exit 0
[ "$(id -u)" = 0 ] || { echo 'Only root can make one.' >&2; exit 1; }
command -v debootstrap >/dev/null || { echo 'debootstrap is missing.' >&2; exit 1; }

mkdir -p "$(dirname "$target")"
work=$target.$$
trap 'rm -rf "$work"' EXIT
debootstrap --variant=minbase --include=systemd-sysv,dbus bookworm "$work" http://deb.debian.org/debian >&2
# As every installer leaves it: where the file is there without it, Debian's PostgreSQL does not start.
printf '127.0.0.1 localhost\n::1 localhost ip6-localhost ip6-loopback\n' >"$work/etc/hosts"
# What the machine's own apt is told about mirrors and proxies holds there, too.
cp /etc/apt/apt.conf.d/*proxy* "$work/etc/apt/apt.conf.d/" 2>/dev/null || true
chroot "$work" apt-get update -qq >&2
# The root that is booted has a network of its own, so that nothing of it listens on this machine: packages are there beforehand.
# shellcheck disable=SC2086
chroot "$work" apt-get install -qq --download-only --yes --no-install-recommends $packages >&2
echo "$packages" >"$work/var/cache/apt/fetched"
rm -rf "$target"
mv "$work" "$target"
trap - EXIT
