# Seals a PDF with the department's certificate, and saves the sealed file.
# usage: KEY=… python3 seal.py invoice.pdf sealed.pdf
import json, os, sys, time
from urllib.request import Request, urlopen

API = os.environ.get("API", "http://127.0.0.1:8080")
file, sealed = sys.argv[1:]


def call(method, path, body=None, content_type="application/json"):
    headers = {"Ocp-Apim-Subscription-Key": os.environ["KEY"]}
    if body is not None:
        headers["Content-Type"] = content_type
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
    with urlopen(Request(API + path, body, headers, method=method), timeout=60) as answer:
        return answer.read()


with open(file, "rb") as pdf:
    stored = json.loads(call("POST", "/storage/document?fileName=invoice.pdf", pdf.read(), "application/pdf"))

request = json.loads(call("POST", "/sealing/sealingrequest", {"subject": "Invoice 4711"}))
path = f"/sealing/sealingrequest/{request['id']}"
call("POST", f"{path}/document", {"documentURI": stored["uri"], "fileName": "invoice.pdf"})
request = json.loads(call("PUT", path, {"status": "Open"}))

while request["status"] != "Processed":
    if request["status"] == "Error":
        sys.exit(f"It could not be sealed: {request['statusReason']}")
    time.sleep(1)
    request = json.loads(call("GET", path))

documents = json.loads(call("GET", f"{path}/document"))["items"]
with open(sealed, "wb") as out:
    out.write(call("GET", f"/storage/document/{documents[0]['documentURI']}"))
print(f"Sealed: {sealed}")
