"""Checks the metrics of a running server with the parser of Prometheus' own library, and with promtool.

usage: exposition.py SERVER   (the program pouch-server)
"""

import subprocess
import sys
import urllib.request
import uuid

from prometheus_client.parser import text_string_to_metric_families

from server import ROOT, Server
sys.path.insert(0, str(ROOT / "Tests"))
import tool  # noqa: E402
from machine import PATIENCE, free_port, wait_for  # noqa: E402

OPERATIONS = ROOT / "Server/Operations"


def promtool(*arguments, text=None):
    """promtool prints its advice for metrics, such as missing units, and fails for each piece of it."""
    done = subprocess.run(["promtool", *arguments], input=text, text=True, capture_output=True)
    print(done.stdout + done.stderr, end="")
    if done.returncode or (text is not None and done.stderr.strip()):
        raise SystemExit(f"promtool {arguments[0]} {arguments[1]} failed.")


def main(program):
    port = free_port()
    server = Server(program, "--metrics-port", str(port), "--log-level", "warning")
    token = server.guest()
    body = server.purchase(token)
    for _ in range(3):
        status, _ = server.send("POST", "/v1/orders", body, token, Idempotency_Key=str(uuid.uuid4()))
        assert status == 201, status
    assert server.send("GET", "/no/such/page?token=secret")[0] == 404

    def scrape():
        """The metrics once they have the events."""
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE) as answer:
            text = answer.read().decode()
        return text if 'type="order.paid"' in text else None

    text = wait_for(scrape, "The metrics have no paid order.", pause=0.1)
    families = {family.name: family for family in text_string_to_metric_families(text)}
    # The library calls a counter by its name without _total.
    requests = {
        (sample.labels["route"], sample.labels["status"]): sample.value
        for sample in families["pouch_http_requests"].samples if sample.name.endswith("_total")}
    assert requests["buyNow", "201"] == 3 and requests["unknown", "404"] == 1, requests
    durations = families["pouch_http_request_duration_seconds"]
    assert durations.type == "histogram"
    counts = {sample.labels["route"]: sample.value for sample in durations.samples if sample.name.endswith("_count")}
    assert counts["buyNow"] == 3, counts
    assert families["pouch_orders_open"].type == "gauge" and "secret" not in text
    promtool("check", "metrics", text=text)
    promtool("check", "rules", str(OPERATIONS / "alerts.yml"))
    promtool("check", "config", str(OPERATIONS / "prometheus.yml"))
    print(f"{len(families)} metrics are valid.")


if __name__ == "__main__":
    main(*tool.words(__doc__, 1, 1))
