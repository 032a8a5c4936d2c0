#!/bin/sh
# Saves the evidence of a finished request, and its history.
# usage: KEY=… sh download-evidence.sh REQUEST-ID evidence.zip history.json
set -eu
api=${API:-http://127.0.0.1:8080}
id=$1

call() { curl -sS --fail-with-body --retry 5 -H "Ocp-Apim-Subscription-Key: $KEY" "$@"; }

status=$(call "$api/signing/signaturerequest/$id/evidence" -o "${2:-evidence.zip}" -w '%{http_code}')
[ "$status" = 200 ] || { echo "There is no evidence before the request is Closed." >&2; exit 1; }
call "$api/event/signaturerequest/$id/proof" -o "${3:-history.json}"
echo "Saved. Verify the history without any server: npx countersign history verify ${3:-history.json}"
