"""The resources of the simulation: cores, places that requests wait for, and logs that make commits durable.

Work shares the cores of its machine equally. Connections and row locks are granted in the order of the requests. A flush
of a log makes all commits durable that waited when it began.
"""

import heapq
import itertools


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
