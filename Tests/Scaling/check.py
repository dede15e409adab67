"""Compares the simulation with `make cluster`: one, two and three servers, each under the same loads; adds the runs to
check.json.

usage: check.py SERVER [SERVERS...]   (the program pouch-server; numbers of servers, by default 1 2 3)
       check.py --table               (the table of all runs, with the simulation of now)
"""

import json
import pathlib
import sys

import load
from cluster import Cluster, difference
from shop import Shop
from simulation import COSTS, Site, percentile
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import tool  # noqa: E402

FILE = pathlib.Path(__file__).with_name("check.json")
SECONDS, WARMUP = 14, 2
# Name of the load, its connections for each server, and its kinds with their clients and mean seconds of thought.
LOADS = {
    "mixed": (10, {
        "product": (16, 0.030), "search": (4, 0.060), "cart read": (8, 0.030), "cart write": (8, 0.030),
        "order read": (4, 0.030), "checkout": (8, 0.050)}),
    "checkouts": (10, {"checkout": (32, 0)}),
    "one SKU": (10, {"checkout": (32, 0)}),
    "one connection": (1, {"checkout": (32, 0)}),
}


def measured(program, servers):
    found = {}
    for connections in (10, 1):
        cluster = Cluster(program, servers, database_connections=connections, kangaroos=10)
        shop = Shop(cluster)
        # Warms the servers up, and gives orders to read.
        load.saturate(cluster.port, shop.checkouts(4_000), 8, 3)
        for name, (wanted, kinds) in LOADS.items():
            if wanted == connections:
                found[name] = one(cluster, shop, name, kinds)
                print(servers, name, json.dumps(found[name]), flush=True)
        cluster.stop()
    return found


def one(cluster, shop, name, kinds):
    makers = {
        "product": lambda: [shop.request("GET", "/v1/products/" + product["handle"]) for product in shop.products],
        "search": lambda: [
            shop.request("GET", f"/v1/products?limit=20&q={word}&minPrice={number}")
            for number in range(500) for word in ("merino", "cardigan", "wool", "striped", "alpaca")],
        "cart read": lambda: [shop.request("GET", "/v1/cart", shop.guest(number)) for number in range(2_000)],
        "cart write": lambda: shop.cart_writes(8_000), "order read": lambda: shop.order_reads(2_000),
        "checkout": lambda: shop.checkouts(14_000, shop.skus[:1] if name == "one SKU" else None),
    }
    loads = [
        load.Kind(kind, clients, think, makers[kind](), repeats=kind != "checkout")
        for kind, (clients, think) in kinds.items()]
    used, written = cluster.processor(), cluster.written()
    latencies = load.mixed(cluster.port, loads, SECONDS, WARMUP)
    used, written = difference(cluster.processor(), used), difference(cluster.written(), written)
    return {
        "kinds": figures(latencies), "cores": sum(used.values()) / SECONDS,
        "parts": {part: used[part] / SECONDS for part in used},
        "flush": written["flushing"] / max(1, written["flushes"]), "flushes": written["flushes"] / SECONDS}


def simulated(costs, servers, name):
    connections, kinds = LOADS[name]
    site = Site(costs, servers, connections=connections)
    latencies = site.run([
        {"name": kind, "cost": "checkout, hot" if name == "one SKU" else kind, "clients": clients, "think": think,
         "hot": name == "one SKU"} for kind, (clients, think) in kinds.items()], SECONDS, WARMUP)
    return {"kinds": figures(latencies), "busy": site.busy()}


def figures(latencies):
    return {
        kind: {
            "rate": len(values) / (SECONDS - WARMUP), "p50": percentile(values, 50) * 1e3,
            "p99": percentile(values, 99) * 1e3} for kind, values in latencies.items()}


def table(results):
    costs = json.loads(COSTS.read_text())
    print("| load | servers | request | measured/s (runs) | simulated/s | | p50 ms | simulated | "
          "| p99 ms | simulated | |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    notes = []
    for name in LOADS:
        for servers, runs in sorted(results.items()):
            model = simulated(costs, int(servers), name)
            runs = [run[name] for run in runs]
            for kind in LOADS[name][1]:
                cells = [name, servers, kind]
                for figure, digits in (("rate", 0), ("p50", 1), ("p99", 1)):
                    real = [run["kinds"][kind][figure] for run in runs]
                    mean, other = sum(real) / len(real), model["kinds"][kind][figure]
                    each = " (" + ", ".join(f"{one:.0f}" for one in real) + ")" if figure == "rate" else ""
                    cells += [f"{mean:.{digits}f}{each}", f"{other:.{digits}f}", f"{other / mean - 1:+.0%}"]
                print("| " + " | ".join(cells) + " |")
            busy = ", ".join(f"{part} {share:.0%}" for part, share in model["busy"].items())
            cores = ", ".join(f"{run['cores']:.2f}" for run in runs)
            total = [sum(kind["rate"] for kind in run["kinds"].values()) for run in runs]
            each = ", ".join(f"{run['cores'] / rate * 1e3:.2f}" for run, rate in zip(runs, total))
            notes.append(
                f"{name}, {servers} servers: cores used {cores}; ms of processor a request {each}; simulated {busy}")
    print("\n" + "\n".join(notes))


def main():
    arguments = tool.words(__doc__, 1, options=("--table",))
    results = json.loads(FILE.read_text()) if FILE.exists() else {}
    if arguments[:1] != ["--table"]:
        program, *numbers = arguments
        for servers in tool.numbers(numbers) or (1, 2, 3):
            results.setdefault(str(servers), []).append(measured(program, servers))
            FILE.write_text(json.dumps(rounded(results), indent=1, sort_keys=True) + "\n")
    table(results)


def rounded(value):
    if isinstance(value, dict):
        return {name: rounded(part) for name, part in value.items()}
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return float(f"{value:.4g}")


main()
