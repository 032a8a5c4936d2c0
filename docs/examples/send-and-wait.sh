#!/bin/sh
# Sends a PDF for signature, shows the link, waits until it is signed, and saves the signed file.
# usage: KEY=… sh send-and-wait.sh lease.pdf signed.pdf
set -eu
api=${API:-http://127.0.0.1:8080}
file=$1
signed=${2:-signed.pdf}

call() { curl -sS --fail-with-body --retry 5 -H "Ocp-Apim-Subscription-Key: $KEY" "$@"; }
# The first value of a field in an answer. Where there is jq, it does this better.
field() { grep -o "\"$1\":\"[^\"]*\"" | head -n 1 | cut -d '"' -f 4; }

# The same Idempotency-Key on every try of curl's: one request, however often it is sent.
id=$(
  {
    printf '{"subject":"Lease for the office","status":"Open","deliveryMethods":["Link"],'
    printf '"signingAuthenticationStrength":"None","signatories":[{"firstName":"Ada","lastName":"Lovelace"}],'
    printf '"documents":[{"fileName":"lease.pdf","contentBase64":"'
    base64 < "$file" | tr -d '\n'
    printf '"}]}'
  } | call "$api/onestepsigning/signaturerequest" -H 'Content-Type: application/json' \
    -H "Idempotency-Key: lease-$$-$(date +%s)" --data-binary @- | field id
)

request=$(call "$api/signing/signaturerequest/$id")
signatory=$(printf '%s' "${request#*\"signatories\":}" | field id)
link=$(call "$api/signing/signaturerequest/$id/signatory/$signatory/link" | field url)
echo "Request $id: ask Ada to open $link"

while :; do
  request=$(call "$api/signing/signaturerequest/$id")
  case $(printf '%s' "$request" | field status) in
    Closed) break ;;
    Canceled | Error) echo "It was not signed: $(printf '%s' "$request" | field statusReason)" >&2; exit 1 ;;
  esac
  sleep 2
done

uri=$(printf '%s' "${request#*\"documents\":}" | field documentURI)
call "$api/storage/document/$uri" -o "$signed"
echo "Signed and sealed: $signed"
