"""Measures what a larger catalogue costs: memory, time to load, searches, and the checks for changed stock."""

import json
import os
import subprocess
import tempfile
import time

import load
from cluster import Cluster, difference
from shop import Shop

SIZES = (10_000, 100_000, 300_000)
WORDS = ["wool", "cardigan", "pattern", "soft", "knit"]


def measure(program):
    found = []
    for size in SIZES:
        found.append(catalogue(program, size))
        print(json.dumps(found[-1]), flush=True)
    return found


def feed(file, size):
    """Cardigans with ten variants each, as Shopify exports them."""
    file.write("Handle,Title,Body (HTML),Type,Tags,Option1 Name,Option1 Value,Variant SKU,Variant Grams,"
               "Variant Inventory Qty,Variant Price,Image Src,Image Position\n")
    for number in range(size):
        product, variant = divmod(number, 10)
        head, image = ",,,,", ","
        if variant == 0:
            text = f"A cardigan of soft wool in pattern {product % 17}."
            head = f'Cardigan No. {product},{text},Cardigans,"wool, knit",Size'
            image = f"https://example.com/c-{product}.jpg,1"
        file.write(f"c-{product},{head},S{variant},s-{number},300,1000000,25.90,{image}\n")
    file.flush()


def catalogue(program, size):
    cluster = Cluster(program, 1)
    shop = Shop(cluster)
    before = int(cluster.sql("SELECT pg_database_size('postgres')")[0][0])
    memory, used, start = cluster.memory(), cluster.processor(), time.time()
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:
        feed(file, size)
        environment = dict(os.environ, POUCH_DATABASE=cluster.database, POUCH_DATA=str(cluster.folder / "data"))
        start = time.time()
        subprocess.run(
            [program, "import", "--format", "shopify-csv", file.name], env=environment, check=True, capture_output=True)
    imported = time.time() - start
    # PostgreSQL counts the connections of the import once they have ended. A server looks for changes when it is asked.
    time.sleep(1)
    loaded = cluster.processor()
    start = time.time()
    while shop.get("/v1/products?limit=1&q=cardigan&tag=knit")["items"][0]["category"] != "cardigans":
        time.sleep(0.05)
    waited = time.time() - start
    settle(shop, 4)
    loading = difference(cluster.processor(), loaded)
    found = {
        "variants": size, "import": imported, "import postgres": difference(loaded, used)["postgres"],
        "load": loading["server"], "wait": waited, "load postgres": loading["postgres"],
        "memory": cluster.memory() - memory,
        "database": int(cluster.sql("SELECT pg_database_size('postgres')")[0][0]) - before}
    for name, paths in {
        "product": [f"/v1/products/c-{number}" for number in range(500)],
        "search": [f"/v1/products?limit=20&q={word}&minPrice={number}" for number in range(400) for word in WORDS],
        "list, encoded": [f"/v1/products?limit=50&minPrice={number}" for number in range(2_000)],
    }.items():
        requests = [shop.request("GET", path) for path in paths]
        used = cluster.processor()
        count, _, _ = load.saturate(cluster.port, requests, 8, 3)
        found[name] = difference(cluster.processor(), used)["server"] / count
    # All SKUs were sold at this moment: each check reads those that have changed within 30 s.
    cluster.sql("UPDATE stock SET on_hand = on_hand - 1, changed_at = extract(epoch FROM now()) * 1000; ANALYZE stock")
    used, start = cluster.processor(), time.time()
    settle(shop, 14)
    used = difference(cluster.processor(), used)
    checks = (time.time() - start) / 2
    found |= {"check": used["server"] / checks / size, "check postgres": used["postgres"] / checks / size}
    cluster.stop()
    return found


def settle(shop, seconds):
    end = time.time() + seconds
    while time.time() < end:
        shop.get("/v1/products?limit=1")
        time.sleep(0.1)
