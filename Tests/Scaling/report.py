"""Prints the tables of Server/Scaling.md, and the loads at which something breaks, from costs.json.

usage: report.py
"""

import json
import pathlib
import sys

from simulation import COSTS, CORES_AT
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tool  # noqa: E402


# The parts of a mix of requests, in percent: an assumption, not a measurement.
MIX = {
    "product": 70, "product 304": 10, "list": 8, "search": 5, "cart read": 3, "cart write": 3, "order read": 0.5,
    "checkout": 0.4, "sign-in": 0.1}
# The seconds of travel of 9.2 km of air distance: 1.3 times as many metres of street, at 9 m/s.
TRAVEL = 9_235 * 1.3 / 9
# The steps of a ride that the first kangaroo accepts: search, acceptance, arrival, pick-up, end.
STEPS = 5


def main():
    costs = json.loads(COSTS.read_text())
    requests, idle = costs["requests"], costs["idle"]
    print("| request | server µs | PostgreSQL µs | nginx µs | bytes | transactions | statements | WAL bytes "
          "| rolled back |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, cost in requests.items():
        # Checks for a newer catalogue belong to the server, not to a request.
        owned = cost["postgres"] > 2e-5
        transactions = round(cost["reads"] + cost["writes"]) if owned else 0
        print(f"| {name} | {cost['server'] * 1e6:,.0f} | {max(0, cost['postgres']) * 1e6:,.0f} | "
              f"{cost['nginx'] * 1e6:,.0f} | {cost['bytes']:,.0f} | {transactions} | "
              f"{round(cost['statements']) if owned else 0} | {cost['wal'] if owned else 0:,.0f} | "
              f"{cost['rollbacks']:.2f} |")
    print(f"\nIdle server: {idle['server']:.2%} of a core, PostgreSQL {idle['postgres']:.2%}, "
          f"{idle['reads'] + idle['writes']:.1f} transactions/s. Client: {costs['client'] * 1e6:.0f} µs a request.")
    print("Bytes a row, with indexes: " + ", ".join(f"{name} {size:,.0f}" for name, size in costs["row bytes"].items()))
    mixed(requests)
    variants(costs["catalogue"])
    checkouts(requests, costs["row bytes"])
    hot(requests)
    rides(costs["rides"])


def mixed(requests, rate=1e5):
    print(f"\n{rate:,.0f} requests/s of the mix:")
    for part in ("server", "postgres", "nginx"):
        cores = {name: rate * share / 100 * max(0, requests[name][part]) for name, share in MIX.items()}
        most = sorted(cores, key=cores.get, reverse=True)[:3]
        total = sum(cores.values())
        print(f"  {part}: {total:.1f} cores busy, {total / CORES_AT:.0f} at {CORES_AT:.0%}; "
              + ", ".join(f"{name} {cores[name]:.1f}" for name in most))
    size = sum(rate * share / 100 * requests[name]["bytes"] for name, share in MIX.items())
    page = requests["product"]
    print(f"  {size * 8 / 1e9:.1f} Gbit/s; one worker of nginx is busy at {1 / page['nginx']:,.0f} pages/s, "
          f"a core of a server at {1 / page['server']:,.0f}")
    each = (requests["list, encoded"]["server"] - requests["list"]["server"]) / 50
    print(f"  encoding a product {each * 1e6:.0f} µs: a core encodes {2 / each:,.0f} pages in the 2 s of a snapshot")


def variants(sizes, wanted=1e7):
    print("\n| variants | import s | load: wait s | server s | memory MB | database MB | search µs | product µs |")
    print("|---|---|---|---|---|---|---|---|")
    for size in sizes:
        print(f"| {size['variants']:,} | {size['import']:.1f} | {size['wait']:.2f} | {size['load']:.2f} | "
              f"{size['memory'] / 1e6:.0f} | {size['database'] / 1e6:.0f} | {size['search'] * 1e6:,.0f} | "
              f"{size['product'] * 1e6:.0f} |")
    last = sizes[-1]
    factor = wanted / last["variants"]
    print(f"{wanted:,.0f} variants, from the last row times {factor:.1f}: "
          f"import {last['import'] * factor / 60:.0f} min, load {last['wait'] * factor:.0f} s, memory {last['memory'] * factor / 1e9:.1f} GB, database "
          f"{last['database'] * factor / 1e9:.1f} GB; a load takes 0.75 s at "
          f"{0.75 / last['wait'] * last['variants']:,.0f} variants")
    print(f"A check reads a changed SKU in {last['check'] * 1e6:.2f} µs of the server and "
          f"{last['check postgres'] * 1e6:.2f} µs of PostgreSQL")


def checkouts(requests, rows, rate=1e4):
    cost = requests["checkout"]
    size = rows["orders"] + rows["idempotency"]
    print(f"\n{rate:,.0f} checkouts/s: servers {rate * cost['server']:.1f} cores, "
          f"PostgreSQL {rate * cost['postgres']:.1f}, WAL {rate * cost['wal'] / 1e6:.0f} MB/s = {rate * cost['wal'] * 86_400 / 1e12:.1f} TB a day, orders and "
          f"keys {rate * size * 86_400 / 1e12:.1f} TB a day, {rate * 2 * cost['flush']:.1f} commits a flush of "
          f"{cost['flush'] * 1e3:.2f} ms, order numbers {rate / 32:.0f} updates/s of one row")
    print(f"  order numbers alone allow 32 / commit: 10,000/s at {32 / rate * 1e3:.1f} ms")


def hot(requests):
    cost = requests["checkout, hot"]
    held = (8 / 11 * 2 / 8 + 3 / 11 * 2 / 3) * (cost["server"] / 2 + cost["postgres"])
    print(f"\nOne SKU: the row is locked for {held * 1e3:.2f} ms of work and two flushes of "
          f"{cost['flush'] * 1e3:.2f} ms: {1 / (held + 2 * cost['flush']):.0f}/s at most; measured {cost['rate']:.0f}/s with 16 clients")


def rides(found, wanted=1e6):
    streams, steps = found["streams"], found["steps"]
    base, last = streams[0], streams[-1]
    count = last["streams"]
    server, database = ((last[part] - base[part]) / count for part in ("server", "postgres"))
    memory = (last["memory"] - base["memory"]) / count
    print(f"\nA stream: server {server * 1e6:.0f} µs a second, PostgreSQL {database * 1e6:.1f}, {memory / 1e3:.0f} kB, "
          f"{last['bytes']:.0f} bytes/s, {last['events']:.2f} events/s")
    print(f"{wanted:,.0f} streams: servers {wanted * server:.0f} cores, PostgreSQL {wanted * database:.0f} cores, "
          f"{wanted * memory / 1e9:.0f} GB, {wanted * last['bytes'] * 8 / 1e9:.1f} Gbit/s, "
          f"{wanted / 8_192:.0f} servers with 8,192 connections")
    for one in steps:
        print(f"  {one['servers']} servers make {one['rate']:.0f} steps/s: server {one['server'] * 1e6:.0f} µs, "
              f"PostgreSQL {one['postgres'] * 1e6:.0f} µs; enough for {one['rate'] * TRAVEL / STEPS:,.0f} live rides")
    print(f"  {wanted:,.0f} rides of {TRAVEL:,.0f} s with {STEPS} steps: {wanted * STEPS / TRAVEL:,.0f} steps/s, "
          f"PostgreSQL {wanted * STEPS / TRAVEL * steps[0]['postgres']:.1f} cores, the servers "
          f"{wanted * STEPS / TRAVEL * steps[0]['server']:.1f}")


if __name__ == "__main__":
    tool.words(__doc__, 0, 0)
    main()
