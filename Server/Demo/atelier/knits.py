"""The look of fabrics: SVG patterns for stitches and for knitted-in motifs."""

from .colours import ACCENTS, YARN, darker, lighter, lightness, mix


class Knit:
    """The definitions of one fabric; `layers` are the fills to lay over the plain colour, in order."""

    def __init__(self, code, pattern):
        self.base = YARN[code]
        self.first, self.second = (YARN[accent] for accent in ACCENTS[code])
        self.definitions = []
        self.layers = []
        dark = lightness(self.base) < 0.3
        self.shadow = darker(self.base, 0.5 if dark else 0.26)
        self.light = lighter(self.base, 0.2 if dark else 0.42)
        getattr(self, pattern.replace("-", "_"))()
        self.rib = self.tile("r", 9, 12, f'<path d="M1.5 0V12" stroke="{self.shadow}" stroke-width="2.6" opacity=".55"/>'
                             f'<path d="M5.5 0V12" stroke="{self.light}" stroke-width="1.6" opacity=".5"/>')

    def tile(self, name, width, height, content, transform=""):
        turn = f' patternTransform="{transform}"' if transform else ""
        self.definitions.append(
            f'<pattern id="{name}" width="{width}" height="{height}" patternUnits="userSpaceOnUse"{turn}>{content}</pattern>')
        return f"url(#{name})"

    def lay(self, name, width, height, content, transform=""):
        self.layers.append(self.tile(name, width, height, content, transform))

    def stitches(self, width=11, height=9):
        half = width / 2
        self.lay("k", width, height,
                 f'<path d="M0 1L{half} {height - 2}L{width} 1" fill="none" stroke="{self.shadow}" stroke-width="1.5" '
                 f'opacity=".5"/><path d="M0 {height - 3}L{half} {2 * height - 6}L{width} {height - 3}" fill="none" '
                 f'stroke="{self.light}" stroke-width="1" opacity=".38"/>')

    def band(self, name, height, bands):
        """Stripes across: (y, thickness, colour)."""
        self.lay(name, 20, height, "".join(
            f'<rect y="{y}" width="20" height="{thickness}" fill="{colour}"/>' for y, thickness, colour in bands))

    # The fabrics.

    def plain(self):
        self.stitches()

    def chunky(self):
        self.stitches(19, 15)

    def ribbed(self):
        self.lay("k", 14, 20, f'<path d="M2 0V20" stroke="{self.shadow}" stroke-width="4" opacity=".5"/>'
                 f'<path d="M8.5 0V20" stroke="{self.light}" stroke-width="2.4" opacity=".45"/>')

    def moss(self):
        self.lay("k", 12, 12, f'<g fill="{self.shadow}" opacity=".5"><circle cx="3" cy="3" r="2"/><circle cx="9" cy="9" r="2"/></g>'
                 f'<g fill="{self.light}" opacity=".5"><circle cx="9" cy="2.4" r="1.7"/><circle cx="3" cy="8.4" r="1.7"/></g>')

    def cable(self):
        twist = "M{0} 0C{0} 22 {1} 22 {1} 44S{0} 66 {0} 88"
        ropes = "".join(
            f'<path d="{twist.format(a, b)}" fill="none" stroke="{colour}" stroke-width="{width}" opacity="{opacity}"/>'
            for a, b in ((22, 42), (42, 22))
            for colour, width, opacity in ((self.shadow, 13, .6), (self.base, 10, 1), (self.light, 3, .5)))
        edges = "".join(f'<path d="M{x} 0V88" stroke="{self.shadow}" stroke-width="2" opacity=".45"/>' for x in (6, 58))
        moss = "".join(f'<circle cx="{x}" cy="{y}" r="1.8" fill="{self.shadow}" opacity=".4"/>'
                       for x, y in ((1, 4), (67, 4), (63, 15), (1, 26), (67, 26), (63, 37), (1, 48), (67, 48), (63, 59), (1, 70), (67, 70), (63, 81)))
        self.lay("k", 68, 88, edges + moss + ropes, "translate(266 0)")

    def herringbone(self):
        self.lay("k", 28, 16, f'<g fill="none" stroke="{self.shadow}" stroke-width="3.4" opacity=".5">'
                 '<path d="M0 0L14 14L28 0M0 16L14 30L28 16M0-16L14-2L28-16"/></g>'
                 f'<path d="M0 7L14 21L28 7M0-9L14 5L28-9" fill="none" stroke="{self.light}" stroke-width="2" opacity=".45"/>')

    def stripes(self):
        self.band("m", 92, [(8, 30, self.first), (52, 10, self.second)])
        self.stitches()

    def breton(self):
        self.band("m", 38, [(10, 11, self.first)])
        self.stitches()

    def pinstripe(self):
        self.lay("m", 34, 20, f'<rect x="15" width="4" height="20" fill="{self.first}" opacity=".85"/>')
        self.stitches()

    def check(self):
        tint = mix(self.base, self.first, 0.5)
        self.lay("m", 84, 84, f'<path d="M0 26H84M26 0V84" stroke="{tint}" stroke-width="26" opacity=".42"/>'
                 f'<path d="M0 62H84M62 0V84" stroke="{self.second}" stroke-width="4" opacity=".8"/>')
        self.stitches()

    def houndstooth(self):
        self.lay("m", 36, 36, f'<path d="M0 0H18V18H36L18 36V18L0 36ZM18 0L24 0L18 6Z" fill="{self.first}" opacity=".92"/>')
        self.stitches(9, 7)

    def argyle(self):
        self.lay("m", 84, 124, f'<path d="M42 8L78 62L42 116L6 62Z" fill="{self.first}" opacity=".88"/>'
                 f'<path d="M0 0L84 124M84 0L0 124" stroke="{self.second}" stroke-width="2.6" stroke-dasharray="7 5"/>',
                 "translate(258 0)")
        self.stitches()

    def diamonds(self):
        self.lay("m", 60, 60, f'<path d="M30 5L55 30L30 55L5 30Z" fill="none" stroke="{self.first}" stroke-width="6"/>'
                 f'<path d="M30 21L39 30L30 39L21 30Z" fill="{self.second}"/>')
        self.stitches()

    def dots(self):
        self.lay("m", 56, 56, f'<g fill="{self.first}"><circle cx="14" cy="14" r="6.5"/><circle cx="42" cy="42" r="6.5"/></g>')
        self.stitches()

    def waves(self):
        self.lay("m", 60, 54, f'<path d="M-15 20Q0 2 15 20T45 20T75 20" fill="none" stroke="{self.first}" stroke-width="7"/>'
                 f'<path d="M-15 43Q0 25 15 43T45 43T75 43" fill="none" stroke="{self.second}" stroke-width="4"/>')
        self.stitches()

    def leaves(self):
        leaf = "M0 0C14-4 20-18 17-30C4-26-4-14 0 0Z"
        self.lay("m", 72, 84, f'<g fill="{self.first}"><path d="{leaf}" transform="translate(18 42)"/><path d="{leaf}" '
                 f'transform="matrix(-1 0 0 1 18 50)" opacity=".8"/><path d="{leaf}" transform="translate(54 82)"/>'
                 f'<path d="{leaf}" transform="matrix(-1 0 0 1 54 90)" opacity=".8"/></g>'
                 f'<path d="M18 62V22M54 84V62M54 0V18" stroke="{self.second}" stroke-width="3"/>')
        self.stitches()

    def honeycomb(self):
        self.lay("k", 48, 56, f'<path d="M0 8C14 8 10 28 24 28S34 8 48 8M0 48C14 48 10 28 24 28S34 48 48 48M0-8M24 28" '
                 f'fill="none" stroke="{self.shadow}" stroke-width="6" opacity=".5"/><path d="M0 5C14 5 10 25 24 25S34 5 48 5'
                 f'M0 45C14 45 10 25 24 25S34 45 48 45" fill="none" stroke="{self.light}" stroke-width="2.6" opacity=".6"/>')

    def lace(self):
        self.lay("k", 44, 44, f'<g fill="{self.shadow}" opacity=".75"><ellipse cx="11" cy="11" rx="5" ry="6.5"/>'
                 '<ellipse cx="33" cy="33" rx="5" ry="6.5"/></g><g fill="none" '
                 f'stroke="{self.light}" stroke-width="2.4" opacity=".75"><path d="M0 22C8 20 8 2 11 0C14 2 14 20 22 22S30 42 33 44'
                 'M44 22C36 24 36 42 33 44M22 22C30 20 30 2 33 0M44 22C36 20 36 2 33 0M0 22C8 24 8 42 11 44M22 22C14 24 14 42 11 44"/></g>')

    def blocks(self):
        self.lay("m", 600, 750, f'<rect y="330" width="600" height="110" fill="{self.first}"/>'
                 f'<rect y="440" width="600" height="310" fill="{self.second}"/>')
        self.stitches()

    def ombre(self):
        name = "o"
        self.definitions.append(
            f'<linearGradient id="{name}" gradientUnits="userSpaceOnUse" x1="0" y1="220" x2="0" y2="620"><stop '
            f'stop-color="{self.first}" stop-opacity="0"/><stop offset="1" stop-color="{self.first}" stop-opacity=".92"/></linearGradient>')
        self.layers.append(f"url(#{name})")
        self.stitches()

    def fairisle(self):
        self.lay("m", 48, 150, self.fairisle_rows())
        self.stitches()

    def yoke(self):
        """The rows of a fair isle, only around the shoulders."""
        self.lay("m", 48, 750, f'<g transform="translate(0 196)">{self.fairisle_rows()}</g>')
        self.stitches()

    def border(self):
        """The same at a hem."""
        self.lay("m", 48, 750, f'<g transform="translate(0 452)">{self.fairisle_rows()}</g>')
        self.stitches()

    def fairisle_rows(self):
        first, second = self.first, self.second
        return (f'<path d="M0 8H48" stroke="{second}" stroke-width="6" stroke-dasharray="6 6"/>'
                f'<path d="M0 34L12 18L24 34L36 18L48 34" fill="none" stroke="{first}" stroke-width="6"/>'
                f'<path d="M24 46L42 68L24 90L6 68ZM0 58L8 68L0 78ZM48 58L40 68L48 78Z" fill="{first}"/>'
                f'<path d="M24 58L32 68L24 78L16 68Z" fill="{second}"/>'
                f'<path d="M0 102L12 118L24 102L36 118L48 102" fill="none" stroke="{first}" stroke-width="6"/>'
                f'<path d="M0 132H48" stroke="{second}" stroke-width="6" stroke-dasharray="6 6"/>')

    def flakes(self):
        arms = "".join(f'<path d="M0 0V-20M0-12L-6-18M0-12L6-18" transform="rotate({angle})"/>' for angle in range(0, 360, 60))
        star = f'<g id="f" fill="none" stroke="{self.first}" stroke-width="3.6" stroke-linecap="round">{arms}</g>'
        self.lay("m", 84, 104, f'<g transform="translate(21 26)">{star}</g><use href="#f" x="63" y="78"/>'
                 f'<g fill="{self.second}"><circle cx="63" cy="26" r="4"/><circle cx="21" cy="78" r="4"/></g>')
        self.stitches()

    def pleats(self):
        self.lay("k", 40, 20, f'<rect width="10" height="20" fill="{self.shadow}" opacity=".55"/>'
                 f'<rect x="14" width="5" height="20" fill="{self.light}" opacity=".35"/>')
