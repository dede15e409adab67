"""The command line of a Python tool of this repository."""

import sys
from pathlib import Path


def words(doc, least, most=None, options=()):
    """The words of the command line, and its options.

    Prints the tool's own text for --help. An option that the tool does not know, or another number of words, ends it
    with one line and exit code 64, before it does anything. `most` is None for any number.
    """
    given = sys.argv[1:]
    if "--help" in given or "-h" in given:
        print(doc.strip())
        sys.exit(0)
    for word in given:
        if word.startswith("-") and word not in options:
            refuse(f"There is no option {word}.")
    count = len([word for word in given if not word.startswith("-")])
    if count < least and not any(word in options for word in given):
        refuse("A word is missing.")
    if most is not None and count > most:
        refuse(f"{given[-1]} is one word too many.")
    return given


def choices(given, known):
    """Refuses a word that is not known."""
    for word in given:
        if word not in known:
            refuse(f"There is no part {word}.")
    return given


def numbers(given):
    """The words as whole numbers from 1."""
    for word in given:
        if not (word.isascii() and word.isdigit() and int(word) > 0):
            refuse(f"{word} is not a number from 1.")
    return [int(word) for word in given]


def refuse(text):
    print(f"{text} {Path(sys.argv[0]).name} --help shows what there is.", file=sys.stderr)
    sys.exit(64)
