"""A receiver of webhooks that verifies them with the Python library of Standard Webhooks (StandardWebhookTests).

Prints its port. POST /secret sets the secret that signatures are verified with from then on; GET /found answers with what
the library said about each request to any other path.
"""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

secrets = []
found = []


def verify(body, headers):
    try:
        return {"type": Webhook(secrets[-1]).verify(body, headers)["type"]}
    except WebhookVerificationError as error:
        return {"error": str(error)}


class Receiver(BaseHTTPRequestHandler):
    def answer(self, status, body=b""):
        self.send_response(status)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.answer(200, json.dumps(found).encode())

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.path == "/secret":
            secrets.append(body.decode())
            return self.answer(204)
        headers = dict(self.headers.items())
        result = verify(body, headers)
        # Anything that is changed on the way must be refused.
        result["forged"] = verify(body.replace(b"order", b"0rder", 1), headers).get("type")
        found.append(result)
        self.answer(400 if "error" in result else 204)

    def log_message(self, *arguments):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
print(server.server_address[1], flush=True)
server.serve_forever()
