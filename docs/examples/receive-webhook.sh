#!/bin/sh
# Receives a webhook as a CGI program: the web server in front puts headers into HTTP_… and the body on standard input.
# SECRET is what creating the subscription answered with. Needs openssl.
set -eu
body=$(mktemp)
trap 'rm -f "$body"' EXIT
cat > "$body" # the bytes as they arrived, before any parser

refuse() { printf 'Status: 400 Bad Request\r\nContent-Type: text/plain\r\n\r\n%s\n' "$1"; exit 0; }

now=$(date +%s)
case ${HTTP_WEBHOOK_TIMESTAMP:-none} in *[!0-9]*) refuse 'no time' ;; esac
age=$((now - HTTP_WEBHOOK_TIMESTAMP))
[ "${age#-}" -le 300 ] || refuse 'too old'

# openssl wants the key in hexadecimal; what is signed is id, time and body, with dots between.
key=$(printf '%s' "${SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
expected=v1,$({ printf '%s.%s.' "$HTTP_WEBHOOK_ID" "$HTTP_WEBHOOK_TIMESTAMP"; cat "$body"; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
case " ${HTTP_WEBHOOK_SIGNATURE:-} " in *" $expected "*) ;; *) refuse 'no signature fits' ;; esac

# It is ours. Remember HTTP_WEBHOOK_ID, for a delivery may come twice; answer first, and work afterwards.
echo "$HTTP_WEBHOOK_ID $(cat "$body")" >> "${LOG:-deliveries.txt}"
printf 'Status: 204 No Content\r\n\r\n'
