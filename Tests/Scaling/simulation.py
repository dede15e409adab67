"""A simulation of the queues that a request passes: clients, nginx, servers, connections, row locks, commits.

usage: simulation.py   (prints what some machines would reach with the costs in costs.json)

Work takes an exponentially distributed time around its measured mean, and shares the cores of its machine equally. Connections and row locks are granted in
the order of the requests. A flush of the log makes all commits durable that waited when it began.
"""

import heapq
import itertools
import json
import pathlib
import random

COSTS = pathlib.Path(__file__).with_name("costs.json")
# Machines are planned for this share of their cores: beyond it queues grow fast.
CORES_AT = 0.6


class Clock:
    def __init__(self):
        self.now, self.events, self.order = 0.0, [], itertools.count()

    def after(self, delay, act):
        heapq.heappush(self.events, (self.now + delay, next(self.order), act))

    def run(self, end):
        while self.events and self.events[0][0] <= end:
            self.now, _, act = heapq.heappop(self.events)
            act()

    def start(self, steps):
        """Runs a generator whose values are the functions that a step calls with its continuation."""
        def resume():
            step = next(steps, None)
            if step:
                step(resume)
        resume()


class Machine:
    """Cores that all running work shares. Work ends in the order of its remaining shares, kept as a virtual time."""

    def __init__(self, clock, cores):
        self.clock, self.cores = clock, cores
        self.running, self.order, self.round = [], itertools.count(), 0
        self.virtual = self.seen = self.busy = 0.0

    def advance(self):
        passed, count = self.clock.now - self.seen, len(self.running)
        self.seen = self.clock.now
        if count:
            self.virtual += passed * min(1, self.cores / count)
            self.busy += passed * min(count, self.cores)

    def work(self, seconds):
        def step(resume):
            self.advance()
            heapq.heappush(self.running, (self.virtual + seconds, next(self.order), resume))
            self.plan()
        return step

    def plan(self):
        self.round += 1
        if self.running:
            left = max(0, self.running[0][0] - self.virtual) / min(1, self.cores / len(self.running))
            self.clock.after(left, lambda number=self.round: self.finish(number))

    def finish(self, number):
        if number == self.round:
            self.advance()
            resume = heapq.heappop(self.running)[2]
            self.plan()
            resume()


class Places:
    """So many places, granted in the order of the requests: connections, a row, a thread."""

    def __init__(self, clock, count=1):
        self.clock, self.count, self.free, self.waiting = clock, count, count, []
        self.seen = self.busy = 0.0

    def note(self):
        self.busy += (self.clock.now - self.seen) * (self.count - self.free) / self.count
        self.seen = self.clock.now

    def take(self, resume):
        self.note()
        if self.free:
            self.free -= 1
            resume()
        else:
            self.waiting.append(resume)

    def give(self):
        self.note()
        if self.waiting:
            self.clock.after(0, self.waiting.pop(0))
        else:
            self.free += 1


class Log:
    """A log on a disk."""

    def __init__(self, clock, seconds):
        self.clock, self.seconds, self.waiting, self.flushes, self.busy = clock, seconds, [], 0, 0.0
        self.flushing = False

    def commit(self, resume):
        self.waiting.append(resume)
        if not self.flushing:
            self.flush()

    def flush(self):
        group, self.waiting, self.flushing = self.waiting, [], True
        self.flushes += 1
        self.busy += self.seconds
        self.clock.after(self.seconds, lambda: self.done(group))

    def done(self, group):
        self.flushing = False
        if self.waiting:
            self.flush()
        for resume in group:
            resume()


class Ledger(Log):
    """A server's writer of the sandbox's ledger, a SQLite file that all servers share. Who finds it locked sleeps."""

    # Of sqlite3_busy_timeout, in milliseconds.
    SLEEPS = [1, 2, 5, 10, 15, 20, 25, 25, 25, 50, 50, 100]

    def __init__(self, clock, seconds, file):
        super().__init__(clock, seconds)
        self.file, self.tries = file, 0

    def flush(self):
        self.flushing = True
        if self.file["is locked"]:
            sleep = self.SLEEPS[min(self.tries, len(self.SLEEPS) - 1)] / 1e3
            self.tries += 1
            self.clock.after(sleep, self.flush)
        else:
            self.file["is locked"], self.tries = True, 0
            super().flush()

    def done(self, group):
        self.file["is locked"] = False
        super().done(group)


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
    print("| servers × cores | database cores | connections each | rows | checkouts/s | p50 ms | p99 ms | busiest |")
    print("|---|---|---|---|---|---|---|---|")
    for servers, cores, database, connections, rows in CASES:
        site = Site(costs, servers, cores, database, connections, rows)
        clients = 40 * servers
        found = site.run([{"name": "checkout", "cost": "checkout", "clients": clients, "think": 0}], 6, 1)["checkout"]
        busiest = max(site.busy().items(), key=lambda item: item[1])
        print(f"| {servers} × {cores} | {database} | {connections} | {rows:,} | {len(found) / 5:,.0f} | "
              f"{percentile(found, 50) * 1e3:.1f} | {percentile(found, 99) * 1e3:.1f} | "
              f"{busiest[0]} {busiest[1]:.0%} |")


CASES = [
    (1, 2, 2, 10, 10_000), (2, 2, 4, 10, 10_000), (4, 2, 8, 10, 10_000), (8, 2, 16, 10, 10_000),
    (8, 2, 16, 20, 10_000), (8, 2, 32, 20, 10_000), (8, 2, 32, 20, 100), (8, 2, 32, 20, 1),
]


if __name__ == "__main__":
    main()
