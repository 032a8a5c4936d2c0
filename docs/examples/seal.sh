#!/bin/sh
# Seals a PDF with the department's certificate, and saves the sealed file.
# usage: KEY=… sh seal.sh invoice.pdf sealed.pdf
set -eu
api=${API:-http://127.0.0.1:8080}
file=$1
sealed=${2:-sealed.pdf}

call() { curl -sS --fail-with-body --retry 5 -H "Ocp-Apim-Subscription-Key: $KEY" "$@"; }
send() { call -H 'Content-Type: application/json' "$@"; }
# The first value of a field in an answer. Where there is jq, it does this better.
field() { grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }

stored=$(call -X POST "$api/storage/document?fileName=invoice.pdf" -H 'Content-Type: application/pdf' \
  --data-binary "@$file" | field uri)
id=$(send -X POST "$api/sealing/sealingrequest" -d '{"subject":"Invoice 4711"}' | field id)
send -X POST "$api/sealing/sealingrequest/$id/document" \
  -d "{\"documentURI\":\"$stored\",\"fileName\":\"invoice.pdf\"}" > /dev/null
request=$(send -X PUT "$api/sealing/sealingrequest/$id" -d '{"status":"Open"}')

while :; do
  case $(printf '%s' "$request" | field status) in
    Processed) break ;;
    Error) echo "It could not be sealed: $(printf '%s' "$request" | field statusReason)" >&2; exit 1 ;;
  esac
  sleep 1
  request=$(call "$api/sealing/sealingrequest/$id")
done

uri=$(call "$api/sealing/sealingrequest/$id/document" | field documentURI)
call "$api/storage/document/$uri" -o "$sealed"
echo "Sealed: $sealed"
