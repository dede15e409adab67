#!/bin/sh
# Buys something with the terminal client and takes rides with Koober's, on the server in POUCH_SERVER, whose city
# should run about 200 times as fast as life. Exits with 0 only if every step succeeds.
#
# usage: with-demo SERVER walk.sh CLIENT KOOBER   (the programs pouch-server, pouch and koober)
set -eu

client=$1
koober=$2
work=$(mktemp -d)
XDG_STATE_HOME=$work/state
export XDG_STATE_HOME

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
