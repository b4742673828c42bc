#!/bin/sh
# `coinfront`. As root it becomes the service's own user, so that every file stays that user's; only `init` writes below /etc.
set -eu
node=/usr/lib/coinfront/bin/node
main=/usr/lib/coinfront/dist/service/coinfront.js
settings=/etc/coinfront/coinfront.env
# What Node compiles is kept by the service's user alone: root's would lie among the package's files.
if [ "$(id -u)" != 0 ]; then NODE_DISABLE_COMPILE_CACHE=1 exec "$node" "$main" "$@"; fi
case "${1:-}" in
  init)
    shift
    NODE_DISABLE_COMPILE_CACHE=1 "$node" "$main" init --env "$settings" --data-dir /var/lib/coinfront "$@"
    if [ -f "$settings" ]; then
      chown root:coinfront "$settings"
      chmod 0640 "$settings"
    fi
    ;;
  *)
    # Without a name in the URL PostgreSQL is told this one.
    export HOME=/var/lib/coinfront USER=coinfront LOGNAME=coinfront NODE_COMPILE_CACHE=/var/cache/coinfront/compiled
    exec setpriv --reuid=coinfront --regid=coinfront --init-groups -- "$node" "$main" "$@"
    ;;
esac
