#!/bin/sh
# Runs nginx with the recipe of Server/Documentation/Operations.md, without TLS, in front of servers on this machine.
#
# usage: nginx.sh FOLDER PORT ADDRESS...   (a folder for its files, its port on 127.0.0.1, addresses such as 127.0.0.1:8081)
set -eu

folder=$1
port=$2
shift 2
servers=
for address; do servers="$servers server $address max_fails=1 fail_timeout=2s;"; done
{
    cat <<CONFIGURATION
daemon off;
pid $folder/nginx.pid;
error_log stderr warn;
events { worker_connections 1024; }
http {
    access_log off;
    client_body_temp_path $folder/body;
    proxy_temp_path $folder/proxy;
    fastcgi_temp_path $folder/fastcgi;
    uwsgi_temp_path $folder/uwsgi;
    scgi_temp_path $folder/scgi;
CONFIGURATION
    # The recipe with the addresses of this machine.
    sed -n '/^```nginx$/,/^```$/p' "$(dirname "$0")/../Documentation/Operations.md" |
        sed -e '/^```/d' -e '/^ *ssl_/d' -e '/^ *server_name /d' -e "s/listen 443 ssl;/listen 127.0.0.1:$port;/" \
            -e '/^ *server 10\.0\.0\.12:/d' -e "s/^ *server 10\.0\.0\.11:.*/    $servers/"
    echo "}"
} >"$folder/nginx.conf"
exec "$(command -v nginx || echo /usr/sbin/nginx)" -e stderr -p "$folder" -c "$folder/nginx.conf"
