# Sends a PDF for signature, shows the link, waits until it is signed, and saves the signed file.
# usage: KEY=… python3 send-and-wait.py lease.pdf signed.pdf
import base64, json, os, sys, time, uuid
from urllib.request import Request, urlopen

API = os.environ.get("API", "http://127.0.0.1:8080")
file, signed = sys.argv[1:]


def call(method, path, body=None, **headers):
    headers["Ocp-Apim-Subscription-Key"] = os.environ["KEY"]
    if body is not None:
        body = json.dumps(body).encode()
        headers["Content-Type"] = "application/json"
    with urlopen(Request(API + path, body, headers, method=method), timeout=60) as answer:
        return answer.read()


with open(file, "rb") as pdf:
    content = base64.b64encode(pdf.read()).decode()

payload = {
    "subject": "Lease for the office",
    "status": "Open",
    "deliveryMethods": ["Link"],
    "signingAuthenticationStrength": "None",
    "signatories": [{"firstName": "Ada", "lastName": "Lovelace"}],
    "documents": [{"fileName": "lease.pdf", "contentBase64": content}],
}
# Send it again with the same key after a lost connection: it is still one request.
once = {"Idempotency-Key": str(uuid.uuid4())}
request_id = json.loads(call("POST", "/onestepsigning/signaturerequest", payload, **once))["id"]


def read():
    return json.loads(call("GET", f"/signing/signaturerequest/{request_id}"))


signatory_id = read()["signatories"][0]["id"]
link = json.loads(call("GET", f"/signing/signaturerequest/{request_id}/signatory/{signatory_id}/link"))["url"]
print(f"Request {request_id}: ask Ada to open {link}", flush=True)

while (request := read())["status"] != "Closed":
    if request["status"] in ("Canceled", "Error"):
        sys.exit(f"It was not signed: {request['statusReason']}")
    time.sleep(2)

uri = request["documents"][0]["documentURI"]
with open(signed, "wb") as out:
    out.write(call("GET", f"/storage/document/{uri}"))
print(f"Signed and sealed: {signed}")
