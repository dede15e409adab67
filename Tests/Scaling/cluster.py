"""A running `make cluster`: its processes, their processor time, and its database."""

import atexit
import os
import pathlib
import re
import resource
import subprocess
import sys
import time
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
from machine import free_port, wait_for  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
TICKS = os.sysconf("SC_CLK_TCK")


def stat(process):
    """The command, parent, and seconds of processor time of a process: its own, and those of its ended children."""
    text = pathlib.Path(f"/proc/{process}/stat").read_text()
    name = text[text.index("(") + 1:text.rindex(")")]
    fields = text[text.rindex(")") + 2:].split()
    times = [int(field) / TICKS for field in fields[11:15]]
    return name, int(fields[1]), times[0] + times[1], times[2] + times[3]


def table():
    """All processes by id."""
    found = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                found[int(entry)] = stat(entry)
            except (FileNotFoundError, ProcessLookupError):
                pass
    return found


class Cluster:
    """Servers behind nginx on one PostgreSQL, as `make cluster` runs them; settings become POUCH_… variables."""

    def __init__(self, program, servers=1, **settings):
        self.port = free_port()
        environment = dict(os.environ, POUCH_NEW_SESSIONS="0", PGCONNECT_TIMEOUT="30")
        environment |= {"POUCH_" + name.upper(): str(value) for name, value in settings.items()}
        self.script = subprocess.Popen(
            [ROOT / "Server/Demo/cluster.sh", program, str(self.port), str(servers)], env=environment,
            stdout=subprocess.PIPE, text=True)
        atexit.register(self.stop)
        for line in self.script.stdout:
            if line.startswith("The database is "):
                self.database = line.split()[-1]
            if line.startswith("nginx on "):
                break
        self.folder = pathlib.Path(re.search("passfile=(.*)/pgpass", self.database)[1])
        programs = subprocess.run([ROOT / ".ci/postgres", "programs"], capture_output=True, text=True, check=True)
        self.psql = programs.stdout.strip() + "/psql"
        self.url = f"http://127.0.0.1:{self.port}"
        wait_for(self.is_ready, "The cluster is not ready.")
        children = [(process, entry) for process, entry in table().items() if entry[1] == self.script.pid]
        self.servers = [process for process, entry in children if entry[0] == "pouch-server"]
        self.nginx = next(process for process, entry in children if entry[0] == "nginx")
        self.postgres = int((self.folder / "cluster/postmaster.pid").read_text().split()[0])
        if len(self.servers) != servers:
            raise SystemExit(f"{len(self.servers)} of {servers} servers run")

    def is_ready(self):
        try:
            return urllib.request.urlopen(self.url + "/health/ready").status == 200
        except urllib.error.URLError:
            return False

    def stop(self):
        if self.script.poll() is None:
            self.script.terminate()
            self.script.wait()

    def sql(self, text):
        """The result of SQL statements, as rows of text."""
        answer = subprocess.run(
            [self.psql, "-XAtq", "-v", "ON_ERROR_STOP=1", "-F", "\t", self.database], input=text, text=True,
            capture_output=True, check=True)
        return [line.split("\t") for line in answer.stdout.splitlines()]

    def processor(self):
        """The seconds of processor time that each part has used."""
        used = dict.fromkeys(["server", "postgres", "nginx"], 0.0)
        for process, (_, parent, own, ended) in table().items():
            if process in self.servers:
                used["server"] += own
            elif process == self.postgres:
                used["postgres"] += own + ended
            elif parent == self.postgres:
                used["postgres"] += own
            elif self.nginx in (process, parent):
                used["nginx"] += own
        client = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        used["client"] = sum(usage.ru_utime + usage.ru_stime for usage in client)
        return used

    def memory(self):
        """The resident bytes of the servers."""
        maps = [pathlib.Path(f"/proc/{server}/smaps_rollup").read_text() for server in self.servers]
        return sum(int(re.search(r"Rss: +(\d+) kB", text)[1]) * 1_024 for text in maps)

    def written(self):
        """The bytes of WAL, its flushes to disk, their seconds, and the transactions rolled back so far."""
        position = self.sql("SELECT pg_current_wal_lsn() - '0/0'")[0][0]
        count, milliseconds = self.sql("SELECT wal_sync, wal_sync_time FROM pg_stat_wal")[0]
        rollbacks = self.sql("SELECT xact_rollback FROM pg_stat_database WHERE datname = 'postgres'")[0][0]
        return {
            "wal": float(position), "flushes": float(count), "flushing": float(milliseconds) / 1e3,
            "rollbacks": float(rollbacks)}

    def log_statements(self, on):
        self.sql(f"ALTER SYSTEM SET log_statement = '{'all' if on else 'none'}'; SELECT pg_reload_conf()")
        time.sleep(0.5)

    def logged(self):
        """The statements that PostgreSQL has logged."""
        text = (self.folder / "cluster/log").read_text(errors="replace")
        return re.findall(r"LOG:  execute [^:]*: (\S+(?: \S+){0,5})", text)


def difference(after, before):
    return {name: after[name] - before[name] for name in after}
