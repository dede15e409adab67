#!/bin/sh
# Buys something with the terminal client and takes rides with Koober's, on a temporary server with a temporary database
# and a free port. Exits with 0 only if every step succeeds.
#
# usage: walk.sh SERVER CLIENT KOOBER   (the programs pouch-server, pouch and koober)
set -eu

here=$(cd "$(dirname "$0")" && pwd)
server=$1
client=$2
koober=$3
work=$(mktemp -d)
server_pid=

finish() {
    status=$?
    if [ -n "$server_pid" ]; then
        kill "$server_pid" 2>/dev/null || true
        wait "$server_pid" 2>/dev/null || true
    fi
    if [ "$status" != 0 ] && [ -s "$work/server.log" ]; then
        echo "The demo failed. The last lines of the server log:" >&2
        tail -n 5 "$work/server.log" >&2
    fi
    rm -rf "$work"
    exit "$status"
}
trap finish EXIT
trap 'exit 130' INT TERM

# Prints a command as one types it.
show() {
    printf '\n$ pouch'
    for word; do
        case $word in
        *[!A-Za-z0-9_./:@=-]*) printf " '%s'" "$word" ;;
        *) printf ' %s' "$word" ;;
        esac
    done
    printf '\n'
}

# Prints a command and runs it.
step() {
    show "$@"
    "$client" "$@"
}

# Like step, but fails unless the output contains the text.
expect() {
    text=$1
    shift
    show "$@"
    status=0
    "$client" "$@" >"$work/output" || status=$?
    cat "$work/output"
    [ "$status" = 0 ] || exit "$status"
    if ! grep -qF -- "$text" "$work/output"; then
        echo "The output does not contain: $text" >&2
        exit 1
    fi
}

"$here/load.sh" "$server" --database "sqlite:$work/shop.sqlite"
"$server" serve --database "sqlite:$work/shop.sqlite" --port 0 --city-speed 200 >"$work/welcome" 2>"$work/server.log" &
server_pid=$!
until grep -q 'http://' "$work/welcome"; do
    kill -0 "$server_pid" # Fails and ends the demo if the server did not start.
    sleep 0.1
done
POUCH_SERVER=$(grep -o 'http://[0-9.:]*' "$work/welcome" | head -n 1)
XDG_STATE_HOME=$work/state
export POUCH_SERVER XDG_STATE_HOME
echo "Pouch serves $POUCH_SERVER"

step promotions
step catalog --limit 8
expect samphire-cardigan catalog --search cardigan --sort priceAscending
expect 71101-69-m product samphire-cardigan

step cart add 71101-69-m --quantity 2
echo 'a password of the demo' >"$work/password"
expect ann@example.com sign-up --name 'Ann Example' --email ann@example.com <"$work/password"
expect 'Samphire Cardigan' cart
expect paid checkout --card tok_ok \
    --name 'Ann Example' --line1 '1 High Street' --city Sydney --postal-code 2000 --country AU
step orders

order=$("$client" orders --json | sed -n 's/.*"id":"\(ord_[a-z0-9]*\)".*/\1/p')
expect 'Samphire Cardigan' order "$order"

cat >"$work/ride" <<'END'
go-to-sign-in
sign-in johnny@gmail.com password
where-to
search opera
choose Sydney Opera House
option kangaroo
confirm
new-ride # once the ride has ended
END
for architecture in mvvm redux elements; do
    printf '\n$ koober --architecture %s --script ride\n' "$architecture"
    "$koober" --architecture "$architecture" --session-store memory --script "$work/ride"
done

printf '\nThe demo is complete: every step succeeded.\n'
