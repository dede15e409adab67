"""The ten colours of the feed as they are drawn."""

YARN = {
    11: "#efe7d6",
    18: "#4a4e55",
    19: "#232327",
    25: "#cfb48a",
    29: "#75492f",
    35: "#4679b8",
    39: "#22335c",
    40: "#e6bfb6",
    69: "#2d5a45",
    72: "#dc6f90",
}

# The yarns of patterns: a contrasting one and a matching one.
ACCENTS = {
    11: (35, 72), 18: (11, 72), 19: (11, 25), 25: (29, 11), 29: (25, 40),
    35: (11, 39), 39: (11, 72), 40: (72, 11), 69: (11, 25), 72: (11, 39),
}


def mix(one, other, share):
    """A mix of two colours, with `share` of the other."""
    pairs = zip((1, 3, 5), (1, 3, 5))
    parts = (
        round(int(one[i:i + 2], 16) * (1 - share) + int(other[j:j + 2], 16) * share) for i, j in pairs
    )
    return "#" + "".join(f"{part:02x}" for part in parts)


def darker(colour, share):
    return mix(colour, "#0b0b14", share)


def lighter(colour, share):
    return mix(colour, "#ffffff", share)


def lightness(colour):
    red, green, blue = (int(colour[i:i + 2], 16) for i in (1, 3, 5))
    return (0.3 * red + 0.59 * green + 0.11 * blue) / 255
