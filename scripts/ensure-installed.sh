#!/usr/bin/env bash
# Installs what is missing of the things named: npm, litecoind, postgresql, libfaketime, chromium, bitcoin-knots,
# nginx, caddy, promtool, alertmanager, oldest-node, pgbouncer, electrum, electrum-newest, docker-compose, opentimestamps, debootstrap, nspawn, buildah.
# Runs before the other scripts, on whatever Node the machine has; says nothing when there is nothing to do.
set -euo pipefail
cd "$(dirname "$0")/.."

# Where people look, wherever the output of a command goes.
exec 3>&1

# Runs a command that prints nothing for long, and says now and then that it goes on.
with_progress() {
  local started=$SECONDS
  "$@" &
  local running=$!
  # What runs in the background hears no Ctrl-C.
  trap 'kill "$running" 2>/dev/null; exit 130' INT TERM
  while kill -0 "$running" 2>/dev/null; do
    # Awakened at once when the command ends.
    sleep 10 &
    wait -n "$running" $! 2>/dev/null || true
    kill -0 "$running" 2>/dev/null && echo "  ... still at it, after $((SECONDS - started)) seconds" >&3
  done
  kill $! 2>/dev/null || true
  trap - INT TERM
  wait "$running"
}

# npm writes node_modules/.package-lock.json last, so an interrupted installation counts as missing.
ensure_npm() {
  local stamp=node_modules/.package-lock.json
  if [ -f "$stamp" ] && [ ! package-lock.json -nt "$stamp" ]; then return; fi
  echo "Installing npm packages ... (about a minute)"
  with_progress npm ci --no-audit --no-fund --loglevel=error
  touch "$stamp"
}

# The lowest Node that packages promise to run on, in a folder of this user: a suite tries them with it, or says that it could not.
ensure_oldest_node() {
  local home=${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/coinfront/node-22.0.0
  local package
  package=node-$(node -p 'process.platform + "-" + process.arch')
  [ -x "$home/bin/node" ] && return
  mkdir -p "$home"
  npm install --prefix "$home" --no-save --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error "$package@22.0.0" >/dev/null 2>&1 &&
    mkdir -p "$home/bin" && ln -sf "../node_modules/$package/bin/node" "$home/bin/node" ||
    echo "Node 22.0.0 could not be fetched; packages are tried on this one only."
}

has_postgresql() {
  compgen -G '/usr/lib/postgresql/*/bin/initdb' >/dev/null
}

updated=no

# ensure_debian <what it is> <package> ...
ensure_debian() {
  local what=$1
  shift
  if ! command -v apt-get >/dev/null; then
    echo "$what is missing. Install it with your system's package manager (on Debian: $*)." >&2
    exit 1
  fi
  if [ "$(id -u)" != 0 ]; then
    echo "$what is missing. Install it with: sudo apt-get install $*" >&2
    exit 1
  fi
  echo "Installing $what ..."
  local log
  log=$(mktemp)
  if [ "$updated" = no ]; then
    apt-get update -qq >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
    updated=yes
  fi
  with_progress env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >"$log" 2>&1 ||
    { cat "$log" >&2; exit 1; }
  rm -f "$log"
}

# Debian has the browser without an interface as a package of its own; where that is not to be had the whole one will do.
ensure_chromium() {
  command -v "${COINFRONT_TEST_BROWSER:-chromium-headless-shell}" >/dev/null && return
  if command -v chromium >/dev/null; then
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 0
    (ensure_debian "Chromium's headless shell" chromium-headless-shell 2>/dev/null) || true
    return
  fi
  (ensure_debian Chromium chromium-headless-shell) || ensure_debian Chromium chromium
}

for thing in "$@"; do
  case $thing in
    npm) ensure_npm ;;
    litecoind)
      # Whoever brings a node needs none of ours.
      if [ "${npm_lifecycle_event:-}" = prestart ] && [ -n "${COINFRONT_NODE_URL:-}${COINFRONT_NODE_COOKIE:-}" ]; then
        continue
      fi
      command -v "${COINFRONT_TEST_NODE:-litecoind}" >/dev/null || ensure_debian "Litecoin's node" litecoind
      ;;
    postgresql) has_postgresql || ensure_debian PostgreSQL postgresql ;;
    pgbouncer) [ -x /usr/sbin/pgbouncer ] || ensure_debian PgBouncer pgbouncer ;;
    libfaketime) compgen -G '/usr/lib/*/faketime/libfaketimeMT.so.1' >/dev/null || ensure_debian libfaketime libfaketime ;;
    chromium) ensure_chromium ;;
    oldest-node) ensure_oldest_node ;;
    # May be missing: suites that would run on it say so.
    bitcoin-knots)
      [ -n "${COINFRONT_TEST_BITCOIN:-}" ] || bash scripts/fetch-from-sid.sh bitcoin-knots ||
        echo "Bitcoin Knots could not be fetched; suites that would run on it are skipped."
      ;;
    # A wallet, which one suite runs: without it that says so.
    electrum)
      command -v electrum >/dev/null || (ensure_debian Electrum electrum) ||
        echo "Electrum is not installed; the suite that would run it is skipped."
      ;;
    electrum-newest)
      bash scripts/fetch-from-sid.sh electrum-newest ||
        echo "The newest Electrum could not be fetched; the suite that would run it is skipped."
      ;;
    # The reference library of OpenTimestamps, which judges our files: without it one suite says so.
    opentimestamps)
      /usr/bin/python3 -c 'import opentimestamps' 2>/dev/null || (ensure_debian "OpenTimestamps' library" python3-opentimestamps) ||
        echo "python3-opentimestamps is not installed; the suite that asks it is skipped."
      ;;
    # Reads the compose file, and needs no daemon for it: without it one suite says so.
    docker-compose)
      command -v docker-compose >/dev/null || (ensure_debian "docker-compose" docker-compose) ||
        echo "docker-compose is not installed; the suite that reads the compose file is skipped."
      ;;
    # What boots another Debian and builds an image: suites without it say so.
    debootstrap | nspawn | buildah)
      program=$thing package=$thing
      [ "$thing" != nspawn ] || program=systemd-nspawn package=systemd-container
      command -v "$program" >/dev/null || [ -x "/usr/sbin/$program" ] || (ensure_debian "$program" "$package") ||
        echo "$program is not installed; the suites that need it are skipped."
      ;;
    nginx) bash scripts/unpack-debian.sh nginx /usr/sbin/nginx ;;
    caddy) bash scripts/unpack-debian.sh caddy /usr/bin/caddy ;;
    promtool) bash scripts/unpack-debian.sh prometheus /usr/bin/promtool ;;
    alertmanager) bash scripts/unpack-debian.sh prometheus-alertmanager /usr/bin/prometheus-alertmanager ;;
    *)
      echo "ensure-installed.sh does not know '$thing'." >&2
      exit 2
      ;;
  esac
done
