"""The surroundings of a garment: the sheets of the product pages and the wide pictures of the slides."""

import math
from random import Random

from .colours import lighter
from .garments import CUTS, Tailor

# By theme: the light above, the light below, and the shape behind the garment.
LIGHT = {
    "711": ("#dfe8e0", "#f6f1e4", "#c9dacf"),
    "712": ("#f8e6de", "#fcf6ea", "#efcfc3"),
    "713": ("#d8e6f1", "#f6f5ee", "#b9d2e6"),
    "714": ("#e6dcee", "#f9efe2", "#eac7a0"),
    "721": ("#efd9c3", "#f9f1e6", "#e0ae82"),
    "722": ("#d3dfd5", "#f1f1e7", "#aec6b4"),
    "723": ("#dce9f1", "#fafaf7", "#c3d9e6"),
    "724": ("#d3d0e0", "#f0eae4", "#aca6c6"),
}
HUNG = {"jumper", "cardigan", "long-cardigan", "dress", "summer-dress", "coat", "double-coat", "vest", "top"}


def document(width, height, definitions, content):
    return (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
            f"<defs>{definitions}</defs>{content}</svg>\n")


def light(theme, name="l"):
    above, below, _ = LIGHT[theme]
    return (f'<linearGradient id="{name}" x2="0" y2="1"><stop stop-color="{above}"/><stop offset="1" stop-color="{below}"/>'
            "</linearGradient>")


DROP = ('<filter id="d" x="-20%" y="-20%" width="140%" height="140%"><feGaussianBlur in="SourceAlpha" stdDeviation="12"/>'
        '<feOffset dx="8" dy="16"/><feComponentTransfer><feFuncA type="linear" slope=".3"/></feComponentTransfer>'
        '<feMerge><feMergeNode/><feMergeNode in="SourceGraphic"/></feMerge></filter>')


def hanger():
    return ('<path d="M300 140V112C300 96 324 98 322 80C320 62 292 62 290 82" fill="none" stroke="#8b8680" stroke-width="5" '
            'stroke-linecap="round"/><path d="M206 176Q290 136 300 136T394 176" fill="none" stroke="#b98d5c" '
            'stroke-width="11" stroke-linecap="round"/>')


def garment(cut, pattern, code):
    """The definitions and the content of a garment, with its hanger if it has one."""
    tailor = Tailor(code, pattern)
    content = CUTS[cut](tailor)
    return "".join(tailor.definitions + tailor.knit.definitions), (hanger() if cut in HUNG else "") + content


def backdrop(theme):
    shape = LIGHT[theme][2]
    return {
        "711": f'<path d="M0 560Q150 520 300 556T600 540V750H0Z" fill="{shape}"/><path d="M0 636Q170 600 330 640T600 620V750H0Z" fill="{lighter(shape, .35)}"/>',
        "712": f'<circle cx="300" cy="360" r="262" fill="{shape}" opacity=".75"/>',
        "713": f'<path d="M0 470H600V750H0Z" fill="{shape}"/><path d="M0 540Q75 526 150 540T300 540T450 540T600 540" stroke="#fff" stroke-width="5" fill="none" opacity=".6"/>',
        "714": f'<circle cx="408" cy="220" r="168" fill="{shape}" opacity=".7"/><circle cx="120" cy="560" r="96" fill="{shape}" opacity=".4"/>',
        "721": f'<path d="M60 750V330a240 240 0 0 1 480 0V750Z" fill="{shape}" opacity=".6"/>',
        "722": f'<path d="M0 520L110 330L190 470L300 250L410 470L500 340L600 500V750H0Z" fill="{shape}" opacity=".75"/>',
        "723": f'<circle cx="300" cy="350" r="250" fill="{shape}" opacity=".6"/><g fill="#fff"><circle cx="80" cy="110" r="8"/><circle cx="520" cy="90" r="6"/><circle cx="548" cy="420" r="9"/><circle cx="60" cy="470" r="6"/><circle cx="500" cy="660" r="8"/><circle cx="120" cy="680" r="7"/></g>',
        "724": f'<rect x="70" y="70" width="460" height="610" rx="70" fill="{shape}" opacity=".6"/><path d="M300 70V680M70 300H530" stroke="#fff" stroke-width="7" opacity=".45"/>',
    }[theme]


def sheet(theme, cut, pattern, code):
    """One garment in one colour, 600 by 750."""
    definitions, content = garment(cut, pattern, code)
    return document(
        600, 750, light(theme) + DROP + definitions,
        f'<rect width="600" height="750" fill="url(#l)"/>{backdrop(theme)}'
        f'<g transform="translate(-48 -66) scale(1.16)" filter="url(#d)">{content}</g>')


def hill(y, swing, phase, colour):
    crests = " ".join(f"T{x} {y + swing * math.sin(phase + x / 260):.0f}" for x in range(200, 1801, 200))
    return f'<path d="M-40 {y}Q60 {y - swing} 120 {y}{crests}V900H-40Z" fill="{colour}"/>'


def pine(x, y, size, colour):
    tiers = "".join(f"M{x} {y - size * (1.0 - 0.24 * i):.0f}l{size * (.2 + .09 * i):.0f} {size * .4:.0f}h{-2 * size * (.2 + .09 * i):.0f}Z" for i in range(3))
    return f'<path d="{tiers}M{x - size * .04:.0f} {y - size * .2:.0f}h{size * .08:.0f}v{size * .2:.0f}h{-size * .08:.0f}Z" fill="{colour}"/>'


# The landscapes. Each receives its own random generator, which starts with the same seed in every run.

def forest(random):
    trees = "".join(pine(x, 640 + random.randint(-20, 30), random.randint(190, 330), "#5d8570") for x in range(30, 1600, 120))
    near = "".join(pine(x, 800 + random.randint(-16, 30), random.randint(240, 400), "#2d5a45") for x in range(-20, 1700, 210))
    return (f'<circle cx="420" cy="250" r="120" fill="#f6eccb"/>{hill(560, 40, 0, "#b6cfc0")}{trees}{hill(650, 26, 2, "#7ea58d")}'
            f'{near}{hill(790, 22, 4, "#20422f")}')


def snow(random):
    flakes = "".join(f'<circle cx="{random.randint(0, 1600)}" cy="{random.randint(0, 640)}" r="{random.randint(3, 8)}"/>' for _ in range(70))
    hut = ('<path d="M300 560l90-84 90 84v92H300Z" fill="#8a5a40"/><path d="M280 566l110-104 110 104-16 12-94-88-94 88Z" fill="#fff"/>'
           '<rect x="352" y="580" width="36" height="36" fill="#f6d88a"/><rect x="416" y="590" width="30" height="62" fill="#5d3a28"/>')
    return (f'<circle cx="1240" cy="190" r="90" fill="#fff" opacity=".8"/>{hill(520, 60, 1, "#c4dae8")}{hill(610, 44, 3, "#dbe8f0")}{hut}'
            f'{pine(220, 660, 190, "#5f8296")}{pine(560, 670, 230, "#54778c")}{pine(640, 680, 160, "#6a8da0")}'
            f'{hill(690, 30, 5, "#f4f8fa")}<g fill="#fff">{flakes}</g>')


def hearth(random):
    sparks = "".join(f'<circle cx="{random.randint(250, 640)}" cy="{random.randint(120, 520)}" r="{random.randint(2, 6)}"/>' for _ in range(40))
    return ('<pattern id="k0" width="102" height="88" patternUnits="userSpaceOnUse"><path d="M5 5h92v34H5ZM0 49h46v34H0ZM56 49h46v34H56Z" '
            'fill="#e3bd98" opacity=".5"/></pattern><rect width="1600" height="890" fill="url(#k0)"/><path d="M150 890V430a290 290 0 0 1 580 0V890Z" fill="#6b3a28"/>'
            '<path d="M200 890V440a240 240 0 0 1 480 0V890Z" fill="#33201d"/><path d="M440 340C560 500 640 560 590 700C570 780 320 780 290 700'
            'C250 590 400 520 440 340Z" fill="#e8793a"/><path d="M450 470C520 580 560 620 530 710C510 760 370 760 350 710C330 640 430 590 450 470Z" fill="#f6b04e"/>'
            '<path d="M446 590C490 650 500 670 486 724C474 750 410 750 398 724C386 684 430 660 446 590Z" fill="#fdebb0"/>'
            '<path d="M250 770h380v46H250Z" fill="#7a4a30"/><path d="M286 726h310v46H286Z" fill="#8d5838" transform="rotate(-4 440 750)"/>'
            f'<g fill="#f6b04e">{sparks}</g><path d="M90 400h700v54H90Z" fill="#8d5838" transform="translate(0 -300)"/>')


def train(random):
    stars = "".join(f'<circle cx="{random.randint(110, 800)}" cy="{random.randint(100, 420)}" r="{random.randint(1, 4)}"/>' for _ in range(60))
    return ('<rect width="1600" height="890" fill="#4a3f55"/><path d="M0 700H1600V890H0Z" fill="#3a3145"/>'
            '<clipPath id="w"><rect x="90" y="80" width="740" height="560" rx="90"/></clipPath><g clip-path="url(#w)">'
            f'<rect width="900" height="700" fill="#22335c"/><circle cx="640" cy="220" r="74" fill="#f6eccb"/><g fill="#fff">{stars}</g>'
            f'{hill(520, 46, 2, "#1a2848")}{hill(590, 26, 4, "#131d36")}'
            '<path d="M300 566h12v-60h60v60h10v-90h34v90h30v40H300Z" fill="#0f1730"/><g fill="#f6d88a"><rect x="326" y="526" width="10" height="14"/>'
            '<rect x="350" y="526" width="10" height="14"/><rect x="394" y="500" width="10" height="14"/></g></g>'
            '<rect x="90" y="80" width="740" height="560" rx="90" fill="none" stroke="#b98d5c" stroke-width="22"/>'
            '<path d="M70 690H850" stroke="#b98d5c" stroke-width="16" stroke-linecap="round"/>'
            '<path d="M960 0V890" stroke="#3a3145" stroke-width="10"/><rect x="972" width="628" height="890" fill="#6d5a78"/>')


def sea(random):
    def boat(x, y, size, colour):
        return (f'<g transform="translate({x} {y}) scale({size})"><path d="M0-150V0" stroke="#75492f" stroke-width="6"/><path d="M8-150L92-14H8Z" '
                f'fill="{colour}"/><path d="M-8-126L-66-14H-8Z" fill="#fff"/><path d="M-90 0H110L80 40H-60Z" fill="#22335c"/></g>')
    waves = "".join(
        f'<path d="M{-60 - 40 * row} {y}' + "".join(f"q50 {-20 + 2 * row} 100 0" for _ in range(19)) + f'" fill="none" stroke="#fff" '
        f'stroke-width="6" opacity="{.25 + .1 * row:.2f}"/>' for row, y in enumerate((560, 630, 710, 800)))
    return ('<circle cx="330" cy="420" r="150" fill="#f6d7a4"/><rect y="500" width="1600" height="390" fill="#7fabd0"/>'
            '<rect y="640" width="1600" height="250" fill="#4679b8"/>' + boat(220, 540, .8, "#dc6f90") + boat(560, 590, 1.25, "#efe7d6")
            + boat(800, 520, .5, "#cfb48a") + waves)


LANDSCAPES = {"722": forest, "723": snow, "721": hearth, "724": train, "713": sea}


def slide(theme, cut, pattern, code):
    """A wide picture, 1600 by 890: the theme's landscape with one garment on the right."""
    definitions, content = garment(cut, pattern, code)
    return document(
        1600, 890, light(theme) + DROP + definitions,
        f'<rect width="1600" height="890" fill="url(#l)"/>{LANDSCAPES[theme](Random(theme))}'
        f'<g transform="translate(960 40) scale(1.1)" filter="url(#d)">{content}</g>')
