#!/bin/sh
# Runs servers with the demo shop behind nginx, on one temporary PostgreSQL server, until Ctrl-C.
#
# usage: cluster.sh SERVER PORT [SERVERS]   (the program pouch-server, the port of nginx, 1 to 9 servers instead of two)
set -eu

server=$1
port=$2
servers=${3:-2}
case $servers in
[1-9]) ;;
*)
    echo "Choose 1 to 9 servers." >&2
    exit 64
    ;;
esac
root=$(cd "$(dirname "$0")/../.." && pwd)
folder=$(mktemp -d)
running=
clean() {
    trap - EXIT INT TERM HUP
    # The servers complete the requests that they have accepted.
    for process in $running; do kill "$process" 2>/dev/null || true; done
    for process in $running; do wait "$process" 2>/dev/null || true; done
    "$root/.ci/postgres" stop "$folder" 2>/dev/null || true
    rm -rf "$folder"
}
trap clean EXIT
trap 'clean; exit 0' INT TERM HUP

POUCH_DATABASE=$("$root/.ci/postgres" start "$folder" -c fsync=on -c full_page_writes=on)
POUCH_DATA=$folder/data
export POUCH_DATABASE POUCH_DATA
"$root/Server/Demo/load.sh" "$server" >"$folder/import.log"

upstreams=
for number in $(seq "$servers"); do
    "$server" serve --port 0 --trusted-proxies 127.0.0.1 --log-level error >"$folder/server-$number.log" &
    running="$running $!"
done
for number in $(seq "$servers"); do
    tries=0
    until address=$(grep -o 'http://127.0.0.1:[0-9]*' "$folder/server-$number.log" | head -n 1) && [ -n "$address" ]; do
        tries=$((tries + 1))
        if [ "$tries" -gt 1800 ]; then
            echo "Server $number did not start." >&2
            exit 1
        fi
        sleep 0.1
    done
    upstreams="$upstreams ${address#http://}"
done

# shellcheck disable=SC2086 # a list of addresses
"$root/Server/Demo/nginx.sh" "$folder" "$port" $upstreams &
running="$! $running"
noun=servers
if [ "$servers" = 1 ]; then noun=server; fi
echo "The database is $POUCH_DATABASE"
echo "nginx on http://127.0.0.1:$port forwards to $servers $noun on one PostgreSQL. Stop them with Ctrl-C."
wait "$!"
