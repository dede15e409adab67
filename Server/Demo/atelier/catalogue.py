"""The catalogue of the shop: the texts, prices and stock of the feed, and the drawing of each product."""

from dataclasses import dataclass
from hashlib import sha256

SEASONS = [
    {"id": "71", "name": "Spring/Summer 2026", "themes": [
        {"id": "711", "name": "Salt Meadow"}, {"id": "712", "name": "Orchard"},
        {"id": "713", "name": "Regatta"}, {"id": "714", "name": "Lantern Evening"}]},
    {"id": "72", "name": "Autumn/Winter 2026", "themes": [
        {"id": "721", "name": "Ember"}, {"id": "722", "name": "Northern Pine"},
        {"id": "723", "name": "First Frost"}, {"id": "724", "name": "Night Train"}]},
]

# Materials: the parts, the care instructions, the tags.
YARNS = {
    "linen": (["55% linen", "45% organic cotton"], "Machine wash cool in a net. Dry flat, iron damp.", ["linen", "light"]),
    "cotton": (["100% organic cotton"], "Machine wash at 30 °C with like colours. Dry flat.", ["cotton", "light"]),
    "silk": (["70% cotton", "30% mulberry silk"], "Hand wash in cool water, do not wring. Dry in the shade.", ["silk", "light"]),
    "merino": (["100% extrafine merino wool"], "Wool wash at 30 °C, or an airing overnight. Dry flat.", ["wool", "merino"]),
    "lambswool": (["100% lambswool"], "Hand wash in lukewarm water. Pull into shape and dry flat.", ["wool", "warm"]),
    "alpaca": (["60% baby alpaca", "30% merino wool", "10% recycled nylon"],
               "Hand wash cool with a mild soap. Roll in a towel, dry flat.", ["alpaca", "wool", "warm"]),
    "tweed": (["85% virgin wool", "15% recycled wool"], "Brush and air. Dry clean once a season at most.", ["wool", "tweed", "warm"]),
    "mohair": (["72% kid mohair", "28% silk"], "Hand wash cool and let it dry flat; it fluffs up again by itself.", ["mohair", "silk", "warm"]),
}

CATEGORIES = {
    "jumper": "Jumpers", "roll-neck": "Jumpers", "cardigan": "Cardigans", "long-cardigan": "Cardigans",
    "dress": "Dresses", "summer-dress": "Dresses", "skirt": "Skirts", "coat": "Coats", "double-coat": "Coats",
    "poncho": "Ponchos", "vest": "Vests", "top": "Tops", "trousers": "Trousers", "scarf": "Scarves",
    "hat": "Hats", "pompon-hat": "Hats", "mittens": "Gloves", "socks": "Socks", "blanket": "Blankets",
}

# The weight of size M in grams.
WEIGHTS = {
    "Jumpers": 460, "Cardigans": 520, "Dresses": 540, "Skirts": 410, "Coats": 1250, "Ponchos": 640, "Vests": 290,
    "Tops": 210, "Trousers": 470, "Scarves": 190, "Hats": 95, "Gloves": 80, "Socks": 75, "Blankets": 1600,
}
SIZES = {"Scarves": ["one"], "Hats": ["one"], "Blankets": ["one"], "Ponchos": ["one"], "Gloves": ["s", "m", "l"], "Socks": ["s", "m", "l"]}


@dataclass
class Garment:
    style: str
    name: str
    cut: str
    pattern: str
    yarn: str
    colours: tuple
    price: str
    text: str
    before: str = ""

    @property
    def category(self):
        return CATEGORIES[self.cut]

    @property
    def sizes(self):
        return SIZES.get(self.category, ["xs", "s", "m", "l", "xl"])

    def image(self, colour):
        return f"{self.style}-{colour}.svg"


GARMENTS = [Garment(*row) for row in [
    # Salt Meadow
    ("71101", "Samphire Cardigan", "cardigan", "plain", "linen", (69, 11, 40), "119.00",
     "A cardigan for the hour when the tide turns and the breeze with it. Linen keeps it cool, cotton keeps it kind, and it folds into a beach bag without sulking."),
    ("71102", "Dune Grass Jumper", "jumper", "herringbone", "cotton", (25, 11), "109.00",
     "Herringbone runs up and down this jumper like wind through marram grass. Loose at the body, snug at the wrist, never scratchy."),
    ("71103", "Tideline Tee", "top", "breton", "cotton", (11, 39, 72), "59.90",
     "Stripes at the spacing of small waves. The short sleeves end in a fine rib that does not roll, however often it is washed.", "69.90"),
    ("71104", "Saltmarsh Dress", "summer-dress", "waves", "silk", (35, 69), "159.00",
     "Two yarns wander in curves from hem to shoulder and meet without a seam. Silk gives the skirt its swing, cotton its good manners."),
    ("71105", "Sandpiper Skirt", "skirt", "moss", "linen", (25, 40, 29), "94.00",
     "Moss stitch, pebbled like wet sand, on an elastic waist that sits flat. Long enough for the dunes, short enough for the bicycle."),
    ("71106", "Curlew Vest", "vest", "cable", "cotton", (11, 35), "84.50",
     "Cables that curve like a curlew's bill, on a vest light enough for July. It wants a shirt with the sleeves rolled up."),
    ("71107", "Reedbed Trousers", "trousers", "ribbed", "linen", (25, 18), "124.00",
     "Wide ribbed legs that fall straight as reeds. The cord at the waist is braided by hand from the same linen."),
    ("71108", "Sea Lavender Scarf", "scarf", "lace", "mohair", (40, 35, 11), "74.00",
     "A lace scarf that weighs next to nothing and warms all the same. Made for verandas, ferries and the second glass of something cold."),
    # Orchard
    ("71201", "Blossom Cardigan", "cardigan", "fairisle", "merino", (72, 11, 40), "149.00",
     "An old star pattern in the colours of an apple tree in its best week. Fine merino, a winter's patience in every row, no itch.", "179.00"),
    ("71202", "Quince Jumper", "jumper", "dots", "merino", (25, 40, 69), "112.00",
     "Dots as big as young quinces, knitted in and not printed on, so they stay round for years."),
    ("71203", "Pear Tree Top", "top", "leaves", "cotton", (69, 11), "64.00",
     "Leaves climb this top in pairs, one a shade bolder than the other. Cut straight, to be worn loose or tucked in."),
    ("71204", "Cider House Dress", "dress", "argyle", "merino", (29, 72), "169.00",
     "Argyle that has left the golf course for the village dance. A seam at the waist, a skirt that turns, sleeves that push up."),
    ("71205", "Windfall Skirt", "skirt", "stripes", "cotton", (72, 39), "89.00",
     "Wide and narrow stripes, fallen where they liked. A firm cotton knit that keeps its line from breakfast to the last train.", "105.00"),
    ("71206", "Beekeeper's Vest", "vest", "honeycomb", "cotton", (25, 19), "86.00",
     "Honeycomb is the stitch that holds the most air, which makes this vest cool in the sun and warm in the shade."),
    ("71207", "Hedgerow Socks", "socks", "fairisle", "merino", (69, 72), "19.90",
     "Everything that grows along the lane, in one pair of socks. The heels and toes are knitted double."),
    ("71208", "Morning Mist Poncho", "poncho", "ombre", "mohair", (40, 35), "139.00",
     "One colour fades into the next the way a valley does before nine. It goes over everything and asks for nothing."),
    # Regatta
    ("71301", "Harbour Jumper", "jumper", "breton", "cotton", (39, 11, 35), "98.00",
     "The jumper that the shop began with: a dense cotton knit, twelve stripes, and a neck that keeps the spray out. Better in its third summer than in its first."),
    ("71302", "Bosun Cardigan", "cardigan", "border", "merino", (39, 18), "134.00",
     "Sober above, a fair isle border below, as if it had waded into something. Horn-coloured buttons that a cold hand can work."),
    ("71303", "Spinnaker Dress", "summer-dress", "blocks", "silk", (35, 72, 11), "154.00",
     "Three panels of colour, cut like a sail and just as ready to move. The straps are ribbed so that they stay where they are put.", "189.00"),
    ("71304", "Halyard Trousers", "trousers", "plain", "cotton", (39, 11), "99.00",
     "Easy trousers with a rope at the waist. Knitted tight enough for a harbour wall, soft enough for the afternoon on top of it."),
    ("71305", "Signal Flag Top", "top", "check", "cotton", (35, 11), "62.00",
     "Squares in two yarns, bold as bunting. It says nothing in the flag alphabet, and says it cheerfully."),
    ("71306", "Crow's Nest Hat", "hat", "ribbed", "merino", (39, 72, 11), "34.00",
     "A close ribbed hat that stays on in a following wind. Fold the brim once for town, twice for the masthead."),
    ("71307", "Fairlead Skirt", "skirt", "pinstripe", "linen", (39, 35), "92.00",
     "Fine upright stripes, drawn down the skirt like lines through a block. Linen gives it crispness, cotton its give."),
    ("71308", "Lighthouse Socks", "socks", "stripes", "cotton", (72, 39), "16.90",
     "Striped like the thing they are named for, and easy to find on a dark landing."),
    ("71309", "Slipway Coat", "coat", "plain", "cotton", (25, 39), "229.00",
     "A knitted coat for the weeks that have not decided yet. Unlined, with a collar that stands up when it must.", "279.00"),
    # Lantern Evening
    ("71401", "Firefly Cardigan", "cardigan", "dots", "merino", (19, 39, 29), "138.00",
     "Small lights on a dark ground. Throw it over your shoulders when the garden cools and the talk does not."),
    ("71402", "Paper Moon Dress", "dress", "lace", "silk", (11, 19, 40), "178.00",
     "A lace dress with a little shine of silk in it. Knitted to fit without a zip, lined to the knee, made to be danced in."),
    ("71403", "Veranda Poncho", "poncho", "herringbone", "cotton", (25, 18), "118.00",
     "Big, plain and even-tempered, with a herringbone that shows its best side by candlelight."),
    ("71404", "Porchlight Jumper", "jumper", "ombre", "mohair", (72, 25), "128.00",
     "A glow that starts at the hem. The mohair is brushed once, by hand, and then left alone."),
    ("71405", "Cicada Top", "top", "ribbed", "silk", (19, 69, 40), "68.00",
     "A ribbed top that follows you and springs back. Cool on the skin long after the paving stones have given up."),
    ("71406", "Terrace Skirt", "skirt", "pleats", "silk", (19, 29), "112.00",
     "Pleats that are knitted, not pressed, so that no suitcase can take them out.", "139.00"),
    ("71407", "Nightjar Scarf", "scarf", "waves", "silk", (39, 29, 18), "69.00",
     "Quiet waves in two tones. Long enough to go round twice and still have an end to play with."),
    ("71408", "Hammock Blanket", "blanket", "stripes", "cotton", (35, 25), "129.00",
     "Wide as a hammock and as hard to leave. Cotton, fringed, and happy to be dragged across a lawn."),
    # Ember
    ("72101", "Hearth Cardigan", "cardigan", "cable", "lambswool", (25, 29, 18), "179.00",
     "Thick cables, deep ribs, buttons like small logs. The cardigan that is always on the chair next to the fire, because somebody has just got up."),
    ("72102", "Cinder Jumper", "roll-neck", "chunky", "alpaca", (18, 19, 29), "158.00",
     "A roll neck you can hide in. Alpaca and merino, knitted on the biggest needles we have, and lighter than it looks."),
    ("72103", "Chestnut Dress", "dress", "ribbed", "merino", (29, 69), "164.00",
     "Ribbed from neck to hem, so it hugs where you like it and forgives the rest. Boots under it, a long coat over it, done.", "199.00"),
    ("72104", "Kindling Skirt", "skirt", "herringbone", "tweed", (18, 29), "118.00",
     "A herringbone skirt in a tweed yarn with flecks you only see close to. Lined, so that it moves with you over wool tights."),
    ("72105", "Smoke Coat", "coat", "moss", "tweed", (18, 25, 19), "319.00",
     "Moss stitch all over, heavy enough to hang well, soft enough to sleep in on a delayed train. Two pockets, each the size of a book.", "389.00"),
    ("72106", "Glow Scarf", "scarf", "ombre", "alpaca", (72, 29, 25), "79.00",
     "It begins in one colour and ends in another, and which end is up is for you to say."),
    ("72107", "Toast Mittens", "mittens", "cable", "lambswool", (25, 29, 72), "38.00",
     "Cabled mittens with long cuffs that go up under a sleeve and stay there. Warm from the first minute, like their name."),
    ("72108", "Woodpile Vest", "vest", "argyle", "lambswool", (29, 69), "96.00",
     "Lozenges stacked as neatly as birch behind a shed. Goes under a jacket or straight over a shirt."),
    ("72109", "Fireside Blanket", "blanket", "check", "lambswool", (29, 18), "189.00",
     "Two people fit under it, three if one of them is a cat. Woven-looking checks, in fact knitted, so it gives when pulled."),
    # Northern Pine
    ("72201", "Spruce Jumper", "jumper", "yoke", "lambswool", (69, 39, 11), "168.00",
     "A yoke of stars and zigzags, worked in the round without a single seam. The pattern is ours; the idea is as old as cold shoulders.", "198.00"),
    ("72202", "Lichen Cardigan", "cardigan", "moss", "lambswool", (25, 69), "154.00",
     "Textured like a north-facing stone and a good deal softer. Four buttons, all of which close."),
    ("72203", "Pinecone Hat", "pompon-hat", "cable", "lambswool", (69, 29, 11), "42.00",
     "Cables run up to the crown, and a pompon sits there as if it had been dropped by a squirrel. It buttons off for the wash."),
    ("72204", "Fern Dress", "dress", "leaves", "merino", (69, 35), "172.00",
     "Fronds in pairs from shoulder to hem. A walking dress in both senses."),
    ("72205", "Timberline Coat", "double-coat", "check", "tweed", (69, 18), "349.00",
     "A double-breasted coat in a check as broad as a plank. Warm above the trees, at home below them."),
    ("72206", "Trapper Socks", "socks", "fairisle", "lambswool", (69, 18, 72), "24.90",
     "Tall socks for tall boots. Dense at the sole, patterned where somebody might look."),
    ("72207", "Clearing Poncho", "poncho", "diamonds", "lambswool", (69, 25, 19), "162.00",
     "Diamonds within diamonds, a high collar, and room underneath for a rucksack or a small child."),
    ("72208", "Bark Trousers", "trousers", "ribbed", "merino", (29, 18), "136.00",
     "Ribbed like a trunk, comfortable like a pyjama, presentable like neither. For long drives and short days."),
    ("72209", "Juniper Mittens", "mittens", "plain", "alpaca", (69, 35), "36.00",
     "Plain, dense and a little hairy. Snow brushes off; the cold stays out."),
    # First Frost
    ("72301", "Snowfield Jumper", "jumper", "flakes", "merino", (35, 11, 40), "148.00",
     "No two flakes are alike outside; in here all of them are perfect. Fine merino, so it works indoors, too.", "172.00"),
    ("72302", "Icicle Cardigan", "long-cardigan", "cable", "alpaca", (11, 40, 35), "212.00",
     "Long, with cables that hang like icicles from the shoulder. Deep pockets for cold hands and warm keys."),
    ("72303", "Hoarfrost Dress", "dress", "lace", "mohair", (35, 11), "188.00",
     "A lace of frost ferns over a slip of the same shade. It looks breakable and is not."),
    ("72304", "Drift Coat", "coat", "chunky", "alpaca", (11, 25, 40), "339.00",
     "A snowdrift with sleeves. Alpaca over merino, a shawl of a collar, and buttons that gloves can find."),
    ("72305", "Snowdrop Hat", "pompon-hat", "flakes", "merino", (11, 72, 35), "39.00",
     "The first of the year to come out, and the last to be put away. Lined with fleece over the ears."),
    ("72306", "Skater Skirt", "skirt", "border", "merino", (39, 72), "108.00",
     "A border of stars along the hem, and a flare that shows it on every turn.", "129.00"),
    ("72307", "Thaw Scarf", "scarf", "stripes", "lambswool", (35, 11, 72), "64.00",
     "Broad stripes, soft fringe. It came out of a box of leftover yarns and stayed in the range."),
    ("72308", "Flurry Mittens", "mittens", "flakes", "merino", (11, 35, 72), "37.50",
     "One flake for each knuckle, more or less. A strand of merino runs double through the palm."),
    ("72309", "Sledge Socks", "socks", "stripes", "lambswool", (35, 11), "22.90",
     "For the walk up, which is always longer. They dry overnight on any radiator."),
    ("72310", "Whiteout Blanket", "blanket", "cable", "alpaca", (11, 40), "249.00",
     "Nothing to see but cables, edge to edge. Heavy enough to settle an argument over the thermostat."),
    # Night Train
    ("72401", "Sleeper Cardigan", "long-cardigan", "plain", "merino", (19, 39, 18), "184.00",
     "Half dressing gown, half coat, entirely respectable in a dining car. Pockets for a ticket, a pen and a paperback."),
    ("72402", "Platform Jumper", "jumper", "blocks", "merino", (19, 39, 72), "132.00",
     "Three fields of colour with edges as clean as a platform's. You will be easy to find in a crowd."),
    ("72403", "Dining Car Dress", "dress", "houndstooth", "merino", (19, 29), "182.00",
     "Houndstooth with a white tablecloth in mind. Sleeves to the wrist, a skirt that sits down gracefully.", "215.00"),
    ("72404", "Conductor Coat", "double-coat", "plain", "tweed", (39, 19, 18), "369.00",
     "Six buttons, a collar with opinions, and a line that makes anybody punctual. The coat we would keep if we could keep one."),
    ("72405", "Compartment Trousers", "trousers", "pinstripe", "merino", (19, 18), "142.00",
     "Pinstripes on the outside, stretch on the inside. They cross a continent without a crease."),
    ("72406", "Ticket Vest", "vest", "check", "tweed", (18, 39), "98.00",
     "A checked vest with a slanted neck rib and room for a watch chain, should you have one."),
    ("72407", "Signalman Hat", "hat", "cable", "lambswool", (19, 69, 29), "36.00",
     "Cables all round and a deep turn-up. Fits under a hood, and over most hairstyles."),
    ("72408", "Midnight Scarf", "scarf", "dots", "silk", (39, 19), "72.00",
     "Stars, if you want them to be; dots, if you must. Silk and cotton, so it is for indoors and the way there."),
    ("72409", "Border Crossing Top", "top", "stripes", "merino", (19, 11), "74.00",
     "Wide bands and narrow ones, as on the edge of an envelope. A short-sleeved knit for under a jacket.", "89.00"),
    ("72410", "First Class Skirt", "skirt", "pleats", "merino", (18, 39), "126.00",
     "Knitted pleats, a flat waist, and a length that goes with every seat and every shoe."),
]]

# Patterns whose name for customers differs from their name in the code.
PATTERN_TAGS = {
    "fairisle": "fair-isle", "yoke": "fair-isle", "border": "fair-isle", "flakes": "snowflakes",
    "blocks": "colour-block", "check": "checked", "dots": "dotted", "stripes": "striped", "breton": "striped",
}

# The promoted styles in the order of the shop, each with the colour of its picture.
SLIDES = [("72201", 39), ("72404", 39), ("72301", 35), ("72101", 25), ("71301", 39)]

# Sold out.
SOLD_OUT = {"71408", "72310"}


def stock(style, colour, size):
    """Units in stock: many of most variants, few of some, none of a few; random, but identical in every run."""
    if style in SOLD_OUT:
        return 0
    chance = int.from_bytes(sha256(f"{style}-{colour}-{size}".encode()).digest()[:4], "big")
    share = chance % 100
    if share < 9:
        return 0
    if share < 26:
        return 1 + chance // 100 % 3
    return 4 + chance // 100 % 36


def product(garment):
    """An element of products.json."""
    materials, care, tags = YARNS[garment.yarn]
    season = next(season for season in SEASONS if garment.style.startswith(season["id"]))
    theme = next(theme for theme in season["themes"] if garment.style.startswith(theme["id"]))
    price = {"currencyCode": "EUR", "retail": garment.price}
    if garment.before:
        price["compareAt"] = garment.before
    return {
        "name": garment.name, "style": garment.style, "category": garment.category,
        "season": season["name"], "theme": theme["name"], "desc": garment.text, "price": price,
        "materials": materials, "care": care,
        "tags": tags + ["sale"] * bool(garment.before) + [PATTERN_TAGS.get(garment.pattern, garment.pattern)],
        "weightGrams": WEIGHTS[garment.category],
        "colors": list(garment.colours), "sizes": garment.sizes,
        "stock": {f"{colour}-{size}": stock(garment.style, colour, size)
                  for colour in garment.colours for size in garment.sizes},
        "gridImage": garment.image(garment.colours[0]),
        "images": [garment.image(colour) for colour in garment.colours],
    }


def slide(style):
    """An element of slides.json."""
    garment = next(garment for garment in GARMENTS if garment.style == style)
    keys = ("name", "style", "category", "season", "theme", "desc", "price")
    return {key: value for key, value in product(garment).items() if key in keys} | {"promoImage": f"{style}.svg"}
