#!/usr/bin/env python3
"""Writes the demo catalogue: the three files of the feed, a picture of each product in each colour, and the slides.

Needs Python 3.10 or later and nothing else. The output is identical in every run.
"""

import json
import shutil
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from atelier import catalogue, scenes  # noqa: E402

FOLDER = Path(__file__).resolve().parent


def write(path, text):
    path.write_text(text, encoding="utf-8", newline="\n")


def write_json(name, value):
    write(FOLDER / name, json.dumps(value, ensure_ascii=False, indent=1) + "\n")


def fresh(name):
    folder = FOLDER / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def main():
    write_json("seasons.json", {"seasons": catalogue.SEASONS})
    write_json("products.json", {"products": [catalogue.product(garment) for garment in catalogue.GARMENTS]})
    write_json("slides.json", [catalogue.slide(style) for style, _ in catalogue.SLIDES])
    products, slides = fresh("products"), fresh("slides")
    for garment in catalogue.GARMENTS:
        for colour in garment.colours:
            write(products / garment.image(colour),
                  scenes.sheet(garment.style[:3], garment.cut, garment.pattern, colour))
    garments = {garment.style: garment for garment in catalogue.GARMENTS}
    for style, colour in catalogue.SLIDES:
        garment = garments[style]
        write(slides / f"{style}.svg", scenes.slide(style[:3], garment.cut, garment.pattern, colour))


if __name__ == "__main__":
    if sys.argv[1:] == ["--help"]:
        sys.exit(print(__doc__.strip()))
    if sys.argv[1:]:
        print(f"There is no option {sys.argv[1]}. draw.py --help shows what there is.", file=sys.stderr)
        sys.exit(64)
    main()
