#!/bin/sh
# Loads the demo into a database without products: the account of Koober's riders, then the catalogue. Does nothing if
# the database has products. Never use it on a real database: the password of the account is "password".
#
# usage: load.sh SERVER [OPTION...]   (the program pouch-server, and options such as --database sqlite:shop.sqlite)
set -eu

here=$(cd "$(dirname "$0")" && pwd)
server=$1
shift
echo password |
    "$server" account create --create --if-empty --email johnny@gmail.com --name Johnny --mobile 510-736-8754 "$@" >/dev/null
"$server" import --if-empty --format layers-json "$here" "$@"
