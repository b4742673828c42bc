#!/usr/bin/env bash
# Unpacks a program of Debian's unstable suite that is newer than this system's into a folder of this user, for suites that also run on it:
#
#   bitcoin-knots    Bitcoin Knots, a modern Bitcoin node
#   electrum-newest  Electrum, a wallet, as it speaks the newest protocol
#
# Nothing is installed and no list of the system's is changed: apt works in a folder of its own, with this system's mirror, keys and
# proxy; what the package needs comes with it, the C library included. Where it cannot be had, a file says why, and the suites are
# skipped with that reason.
set -euo pipefail

name=$1
case $name in
  bitcoin-knots)
    title='Bitcoin Knots' program=bitcoind
    # What its dependencies are looked for of, and which of them it needs to run; and what is fetched without any.
    package=bitcoin-knots needs='^lib' alone=''
    ask_version() { "$1" --version; }
    ;;
  electrum-newest)
    title='The newest Electrum' program=electrum
    # Its window is not needed, nor the toolkit of that.
    package=python3-electrum needs='' alone=electrum
    ask_version() { "$1" --offline -D "$scratch/electrum" version; }
    ;;
  *)
    echo "fetch-from-sid.sh does not know '$name'." >&2
    exit 2
    ;;
esac

home=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/coinfront
target=$home/$name
why=$home/$name-unavailable.txt
# Seconds for all of it, a slow mirror included; a machine without a network is asked again after an hour.
longest=150
again_minutes=60

[ -x "$target/$program" ] && exit 0
tell_why() { echo "$title is not to be had here: $(cat "$why") Suites that would run on it are skipped."; }
if [ -f "$why" ] && [ -z "$(find "$why" -mmin +$again_minutes)" ]; then
  tell_why
  exit 0
fi
mkdir -p "$home"
scratch=$(mktemp -d "$home/fetching-XXXXXX")
trap 'rm -rf "$scratch"' EXIT

give_up() {
  echo "$1" >"$why"
  tell_why
  exit 0
}

for tool in apt-get apt-cache dpkg timeout; do
  command -v "$tool" >/dev/null || give_up "there is no $tool."
done
keys=/usr/share/keyrings/debian-archive-keyring.gpg
[ -f "$keys" ] || give_up "there are no keys of Debian's archive ($keys)."
# shellcheck disable=SC2016
mirror=$(apt-get indextargets --format '$(COMPONENT) $(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
  awk '$1 == "main" && $2 ~ /\/debian\/?$/ { print $2; exit }')
[ -n "$mirror" ] || give_up "this system's sources name no mirror of Debian."

mkdir -p "$scratch"/{lists/partial,cache/archives/partial,parts,debs,tree}
: >"$scratch/status"
echo "deb [signed-by=$keys] $mirror sid main" >"$scratch/sources.list"
cat >"$scratch/apt.conf" <<CONF
Dir::Etc::SourceList "$scratch/sources.list";
Dir::Etc::SourceParts "$scratch/parts";
Dir::Etc::Preferences "$scratch/none";
Dir::Etc::PreferencesParts "$scratch/parts";
Dir::State "$scratch";
Dir::State::Lists "$scratch/lists";
Dir::State::Status "$scratch/status";
Dir::Cache "$scratch/cache";
APT::Sandbox::User "$(id -un)";
Acquire::Languages "none";
Acquire::Retries "3";
Acquire::http::Timeout "20";
Acquire::https::Timeout "20";
CONF
export APT_CONFIG=$scratch/apt.conf

# What a package depends on, and what that does, as far as it is needed.
list_needed() {
  local todo=("$1") seen=" $1 " found
  while [ ${#todo[@]} -gt 0 ]; do
    found=$(apt-cache depends --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces --no-enhances "${todo[@]}" |
      awk -v needs="$needs" '
        / (Pre)?Depends: [a-z0-9]/ && $2 ~ needs { print $2 }
        # A name that several packages provide: the first of them.
        isVirtual && NF == 1 && $1 ~ needs { print $1 }
        { isVirtual = $2 ~ /^</ }' | sort -u)
    todo=()
    for each in $found; do
      case $seen in *" $each "*) continue ;; esac
      seen+="$each "
      todo+=("$each")
    done
  done
  echo "$seen"
}

fetch() {
  echo "Fetching $package from Debian's unstable suite ..."
  apt-get update -qq
  local needed
  needed=$(list_needed "$package")
  # shellcheck disable=SC2086
  (cd "$scratch/debs" && apt-get download -qq $needed $alone)
  local deb
  for deb in "$scratch"/debs/*.deb; do dpkg -x "$deb" "$scratch/tree"; done
}
export -f fetch list_needed
export scratch package needs alone
timeout "$longest" bash -euo pipefail -c fetch >"$scratch/log" 2>&1 || give_up "$(grep -m1 -E '^(E|W|Err)[: ]' "$scratch/log" || echo "fetching it failed or took longer than $longest s.")"

loader=$(find "$scratch/tree" -name 'ld-linux*.so*' -o -name 'ld64.so*' | head -1)
libraries=$(dirname "$(find "$scratch/tree" -name libc.so.6 | head -1)")
[ -n "$loader" ] && [ -x "$scratch/tree/usr/bin/$program" ] || give_up "its package has another form than was known."
mkdir "$scratch/kept"
mv "$scratch/tree" "$scratch/kept/tree"
inside() { echo "\$here/tree${1#"$scratch/tree"}"; }
run="exec \"$(inside "$loader")\" --library-path \"$(inside "$libraries")\" \"\$here/tree/usr/bin"
{
  echo '#!/bin/sh'
  # shellcheck disable=SC2016
  echo 'here=$(dirname "$(readlink -f "$0")")'
  if head -c 2 "$scratch/kept/tree/usr/bin/$program" | grep -q '#!'; then
    # shellcheck disable=SC2016
    echo 'export PYTHONHOME="$here/tree/usr" PYTHONPATH="$here/tree/usr/lib/python3/dist-packages"'
    echo "$run/$(basename "$(readlink -f "$scratch/kept/tree/usr/bin/python3")")\" \"\$here/tree/usr/bin/$program\" \"\$@\""
  else
    echo "$run/$program\" \"\$@\""
  fi
} >"$scratch/kept/$program"
chmod +x "$scratch/kept/$program"
version=$(ask_version "$scratch/kept/$program" 2>&1 | head -1) || give_up "it does not run here: $version"
rm -f "$why"
# Another run may have been faster.
[ -x "$target/$program" ] || mv -T "$scratch/kept" "$target"
echo "$title: $version is unpacked in $target."
