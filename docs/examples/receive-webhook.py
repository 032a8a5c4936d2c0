# Receives webhooks, believes those that are signed, and prints what happened.
# usage: SECRET=whsec_… PORT=9000 python3 receive-webhook.py
import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

KEY = base64.b64decode(os.environ["SECRET"].removeprefix("whsec_"))
LARGEST_BODY = 64 * 1024
seen = set()


def is_ours(headers, body):
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        return False
    content = f"{headers.get('webhook-id')}.{timestamp}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.new(KEY, content, hashlib.sha256).digest()).decode()
    given = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(expected.encode(), one.encode()) for one in given)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        # The bytes as they arrived, before any parser.
        body = self.rfile.read(min(int(self.headers.get("content-length", 0)), LARGEST_BODY))
        # Answer first and work afterwards: the service waits 15 seconds, and then sends it again.
        if not is_ours(self.headers, body):
            return self.answer(400)
        self.answer(204)
        if self.headers["webhook-id"] not in seen:
            seen.add(self.headers["webhook-id"])
            event = json.loads(body)
            print(event["EventType"], json.dumps(event["EventData"]), flush=True)

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", int(os.environ.get("PORT", "9000"))), Receiver)
print("Listening", flush=True)
server.serve_forever()
