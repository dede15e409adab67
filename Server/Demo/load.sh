#!/bin/sh
# Loads the demo into a database that has no products yet: the account with which Koober's riders sign in (its password is
# "password", so that no other database must get it), then the catalogue. Does nothing where there are products.
#
# usage: load.sh SERVER [OPTION...]   (the program, and its options, as in --database sqlite:shop.sqlite)
set -eu

here=$(cd "$(dirname "$0")" && pwd)
server=$1
shift
echo password |
    "$server" account create --if-empty --email johnny@gmail.com --name Johnny --mobile 510-736-8754 "$@" >/dev/null
"$server" import --if-empty --format layers-json "$here" "$@"
