# Saves the evidence of a finished request, and its history.
# usage: KEY=… python3 download-evidence.py REQUEST-ID evidence.zip history.json
import os, sys
from urllib.request import Request, urlopen

API = os.environ.get("API", "http://127.0.0.1:8080")
request_id, evidence_file, history_file = sys.argv[1:]


def save(path, file):
    headers = {"Ocp-Apim-Subscription-Key": os.environ["KEY"]}
    with urlopen(Request(API + path, headers=headers), timeout=60) as answer:
        if answer.status == 204:
            sys.exit("There is no evidence before the request is Closed.")
        with open(file, "wb") as out:
            out.write(answer.read())


save(f"/signing/signaturerequest/{request_id}/evidence", evidence_file)
save(f"/event/signaturerequest/{request_id}/proof", history_file)
print(f"Saved. Verify the history without any server: npx countersign history verify {history_file}")
