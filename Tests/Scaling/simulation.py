"""A simulation of the queues that a request passes: clients, nginx, servers, connections, row locks, commits.

usage: simulation.py   (prints what some machines would reach with the costs in costs.json)

Work takes an exponentially distributed time around its measured mean.
"""

import itertools
import json
import pathlib
import random
import sys

from queues import Clock, Ledger, Log, Machine, Places
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tool  # noqa: E402


COSTS = pathlib.Path(__file__).with_name("costs.json")
# Machines are planned for this share of their cores: beyond it queues grow fast.
CORES_AT = 0.6


class Site:
    """Servers, nginx and PostgreSQL on one machine, or on machines of their own with so many cores."""

    def __init__(self, costs, servers, cores=2, database_cores=None, connections=10, rows=680, seed=1, flush=None):
        self.clock, self.chance, self.costs = Clock(), random.Random(seed), costs
        clock, isolated = self.clock, database_cores is not None
        machine = Machine(clock, cores)
        self.servers = [Machine(clock, cores) if isolated else machine for _ in range(servers)]
        self.database = Machine(clock, database_cores) if isolated else machine
        self.edge = Machine(clock, 1e6) if isolated else machine
        self.nginx, self.client = Places(clock, 1e6 if isolated else 1), Places(clock, 1e6 if isolated else 1)
        self.connections = [Places(clock, connections) for _ in range(servers)]
        self.rows = [Places(clock) for _ in range(rows)]
        flush = flush or costs["requests"]["checkout"]["flush"]
        # A real provider has no such file: then each server has its own.
        files = [{"is locked": False} for _ in range(servers)] if isolated else [{"is locked": False}] * servers
        self.log, self.ledgers = Log(clock, flush), [Ledger(clock, flush, file) for file in files]
        self.turn, self.latencies = itertools.count(), {}

    def work(self, machine, seconds):
        return machine.work(self.chance.expovariate(1 / seconds))

    def passing(self, places, machine, seconds):
        yield places.take
        yield self.work(machine, seconds)
        places.give()

    def request(self, kind):
        """The way of one request. Half of a server's time is spent outside of transactions: an assumption."""
        cost, number = self.costs["requests"][kind["cost"]], next(self.turn) % len(self.servers)
        server, client = self.servers[number], self.costs["client"] / 2
        yield from self.passing(self.client, self.edge, client)
        yield from self.passing(self.nginx, self.edge, cost["nginx"] / 2)
        steps = TRANSACTIONS.get(kind["cost"], [])
        yield self.work(server, cost["server"] / 2 / (2 if steps else 1))
        row = self.rows[0 if kind.get("hot") else self.chance.randrange(len(self.rows))]
        for share, before, locks, commits, charges in steps:
            yield self.connections[number].take
            yield self.work(server, cost["server"] / 2 * share * before)
            yield self.work(self.database, cost["postgres"] * share * before)
            if locks:
                yield row.take
            yield self.work(server, cost["server"] / 2 * share * (1 - before))
            yield self.work(self.database, cost["postgres"] * share * (1 - before))
            if commits:
                yield self.log.commit
            if locks:
                row.give()
            self.connections[number].give()
            if charges:
                yield self.ledgers[number].commit
        yield self.work(server, cost["server"] / 2 / (2 if steps else 1))
        yield from self.passing(self.nginx, self.edge, cost["nginx"] / 2)
        yield from self.passing(self.client, self.edge, client)

    def customer(self, kind, warmup, end):
        while self.clock.now < end:
            if kind["think"]:
                yield lambda resume: self.clock.after(self.chance.expovariate(1 / kind["think"]), resume)
            begun = self.clock.now
            yield from self.request(kind)
            if warmup <= begun and self.clock.now <= end:
                self.latencies.setdefault(kind["name"], []).append(self.clock.now - begun)

    def run(self, kinds, seconds, warmup=2):
        for kind in kinds:
            for _ in range(kind["clients"]):
                self.clock.start(self.customer(kind, warmup, seconds))
        self.clock.run(seconds)
        for machine in (*self.servers, self.database):
            machine.advance()
        for places in (*self.connections, *self.rows):
            places.note()
        return self.latencies

    def busy(self):
        """The busy part of each resource."""
        now = self.clock.now
        return {
            "server cores": max(machine.busy / machine.cores for machine in self.servers) / now,
            "database cores": self.database.busy / self.database.cores / now,
            "connections": max(places.busy for places in self.connections) / now,
            "one row": max(row.busy for row in self.rows) / now, "log": self.log.busy / now}


# By kind: the share of its time in each transaction, the part before a row of the stock is locked, whether it locks one,
# whether it commits, and whether the payment follows. The shares are those of the statements.
TRANSACTIONS = {
    "checkout": [(8 / 11, 6 / 8, True, True, True), (3 / 11, 1 / 3, True, True, False)],
    "checkout, hot": [(8 / 11, 6 / 8, True, True, True), (3 / 11, 1 / 3, True, True, False)],
    "cart write": [(1, 0.5, False, True, False)],
    "cart read": [(1, 0.5, False, False, False)],
    "order read": [(1, 0.5, False, False, False)],
}


def percentile(values, percent):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * percent / 100))] if values else 0.0


def main():
    costs = json.loads(COSTS.read_text())
    print("| servers of 2 cores | cores of PostgreSQL | connections each | rows of stock | flush ms | checkouts/s | p50 ms "
          "| p99 ms | busiest |")
    print("|---|---|---|---|---|---|---|---|---|")
    for servers, cores, connections, rows, flush in CASES:
        site = Site(costs, servers, 2, cores, connections, rows, flush=flush and flush / 1e3)
        cost = "checkout" if rows > 1 else "checkout, hot"
        kind = {"name": "checkout", "cost": cost, "clients": 20 * servers, "think": 0}
        found = site.run([kind], 6, 1)["checkout"]
        # A busy log is no limit: it takes all waiting commits at once.
        busiest = max((item for item in site.busy().items() if item[0] != "log"), key=lambda item: item[1])
        print(f"| {servers} | {cores} | {connections} | {rows:,} | {site.log.seconds * 1e3:.2f} | {len(found) / 5:,.0f} | "
              f"{percentile(found, 50) * 1e3:.1f} | {percentile(found, 99) * 1e3:.1f} | {busiest[0]} {busiest[1]:.0%} |")


# Machines of their own; without a flush, the measured one.
CASES = [
    (1, 2, 10, 10_000, None), (2, 4, 10, 10_000, None), (4, 8, 10, 10_000, None), (8, 16, 10, 10_000, None),
    (8, 16, 10, 10_000, 2), (8, 16, 40, 10_000, 2), (8, 16, 10, 100, None), (8, 16, 10, 10, None), (8, 16, 10, 1, None),
    (8, 16, 10, 1, 2),
]


if __name__ == "__main__":
    tool.words(__doc__, 0, 0)
    main()
