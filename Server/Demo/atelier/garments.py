"""The cuts: each function draws one kind of garment on a sheet of 600 by 750."""

from .colours import darker, lighter, lightness, mix
from .knits import Knit


def number(value):
    return f"{value:.1f}".rstrip("0").rstrip(".")


def points(*pairs):
    return " ".join(f"{number(x)} {number(y)}" for x, y in pairs)


def symmetrical(start, *segments):
    """A closed outline from its left half, top centre to bottom centre; a segment is one point or a curve of three."""
    path, back, previous = "M" + points(start), [], start
    for segment in segments:
        path += ("L" if len(segment) == 1 else "C") + points(*segment)
        controls = segment[-2::-1] if len(segment) == 3 else ()
        back.append([*controls, previous])
        previous = segment[-1]
    for segment in reversed(back):
        flipped = [(600 - x, y) for x, y in segment]
        path += ("L" if len(flipped) == 1 else "C") + points(*flipped)
    return path + "Z"


class Tailor:
    """Collects the pieces of one garment in one fabric."""

    def __init__(self, code, pattern):
        self.knit = Knit(code, pattern)
        self.count = 0
        self.definitions = []
        base = self.knit.base
        self.inside = darker(base, 0.42 if lightness(base) > 0.3 else 0.55)
        self.button = lighter(base, 0.55) if lightness(base) < 0.45 else darker(base, 0.55)
        strength = 0.34 if lightness(base) < 0.3 else 0.24
        self.definitions.append(
            f'<linearGradient id="s"><stop stop-color="#fff" stop-opacity=".16"/><stop offset=".35" '
            f'stop-color="#fff" stop-opacity="0"/><stop offset="1" stop-color="#0b0b14" stop-opacity="{strength}"/></linearGradient>')

    def piece(self, outline, fills=None):
        self.count += 1
        name = f"p{self.count}"
        self.definitions.append(f'<path id="{name}" d="{outline}"/>')
        fills = [self.knit.base, *(self.knit.layers if fills is None else fills), f"url(#s)"]
        edge = f'<use href="#{name}" fill="none" stroke="{self.knit.shadow}" stroke-width="1.6"/>'
        return "".join(f'<use href="#{name}" fill="{fill}"/>' for fill in fills) + edge

    def ribbing(self, outline):
        return self.piece(outline, [self.knit.rib])

    def plain(self, outline, colour, opacity=1):
        fade = f' opacity="{opacity}"' if opacity < 1 else ""
        return f'<path d="{outline}" fill="{colour}"{fade}/>'

    def seam(self, outline, width=2.4, opacity=0.75):
        return (f'<path d="{outline}" fill="none" stroke="{self.knit.shadow}" stroke-width="{width}" '
                f'stroke-linecap="round" opacity="{opacity}"/>')

    def folds(self, *outlines):
        return "".join(self.seam(outline, 9, 0.2) for outline in outlines)

    def buttons(self, x, *heights):
        holes = darker(self.button, 0.35) if lightness(self.button) > 0.4 else lighter(self.button, 0.35)
        first, name = self.group(
            f'<circle cx="{x}" cy="{heights[0]}" r="8.5" fill="{self.button}" stroke="{self.inside}" stroke-width="1.4"/>'
                 f'<path d="M{x - 2.5} {heights[0]}h.1M{x + 2.5} {heights[0]}h.1" stroke="{holes}" stroke-width="3" stroke-linecap="round"/>')
        return first + "".join(f'<use href="#{name}" y="{height - heights[0]}"/>' for height in heights[1:])

    def group(self, content):
        """The content, and the name with which it can be used again."""
        self.count += 1
        name = f"g{self.count}"
        return f'<g id="{name}">{content}</g>', name

    def pair(self, content):
        """The same on both sides."""
        left, name = self.group(content)
        return left + f'<use href="#{name}" transform="matrix(-1 0 0 1 600 0)"/>'

    def sleeves(self, length=340, width=1.0, angle=11, cuff=44):
        """Long sleeves that hang next to the body."""
        end, half = 190 + length, 31 * width
        top = (f"M178 192C212 170 250 214 {number(197 + 50 * width)} 300L{number(197 + half)} {end}H{number(197 - half)}"
               f"L{number(197 - 46 * width)} 300C146 240 156 204 178 192Z")
        content = self.piece(top)
        if cuff:
            content += self.ribbing(
                f"M{number(197 - half)} {end}H{number(197 + half)}L{number(193 + half)} {end + cuff}Q197 {end + cuff + 7} "
                f"{number(201 - half)} {end + cuff}Z")
        content += self.folds(f"M{number(208 + 22 * width)} 250Q{number(200 + 20 * width)} 330 {number(204 + 16 * width)} {end - 60}")
        return self.pair(f'<g transform="rotate({angle} 195 190)">{content}</g>')

    def short_sleeves(self, length=110):
        end = 190 + length
        outline = f"M178 190C214 170 258 210 250 {end - 20}L246 {end}Q196 {end + 14} 142 {end}L148 240C150 212 160 198 178 190Z"
        hem = f"M142 {end}Q196 {end + 14} 246 {end}L245 {end + 18}Q196 {end + 32} 141 {end + 18}Z"
        return self.pair(f'<g transform="rotate(24 195 190)">{self.piece(outline)}{self.ribbing(hem)}</g>')

    def neck_behind(self, depth=150):
        return self.plain(f"M244 160Q300 {depth - 22} 356 160L340 215H260Z", self.inside)

    def crew(self):
        return self.ribbing(symmetrical((300, 204), ((268, 204), (246, 184), (240, 158)), ((257, 151),),
                                        ((262, 172), (278, 184), (300, 184))))

    def roll_neck(self):
        return self.ribbing("M246 176C240 150 244 122 250 104Q300 92 350 104C356 122 360 150 354 176Q300 204 246 176Z") + \
            self.seam("M248 132Q300 150 352 132", 3, 0.6)


def body(hem, half, waist=None, neck=(300, 196), neck_side=(244, 158), shoulder=(186, 184), flare=0):
    """A bodice from the neck to the hem's height, `half` as wide as its chest from the middle."""
    side = 300 - half
    waist = half if waist is None else waist
    middle = (330 + hem) / 2
    return symmetrical(
        neck, ((neck_side[0] + 24, neck[1]), (neck_side[0] + 6, neck[1] - 16), neck_side), (shoulder,),
        ((shoulder[0] + 14, 230), (side - 2, 290), (side, 330)),
        ((300 - waist, middle - 50), (300 - waist, middle + 20), (side - flare, hem)),
        ((side - flare + 40, hem + 9), (260, hem + 12), (300, hem + 12)))


def hem_rib(top, half, height=42):
    return symmetrical((300, top + 12), ((260, top + 12), (300 - half + 40, top + 9), (300 - half, top)),
                       ((300 - half + 8, top + height),), ((260, top + height + 11), (280, top + height + 12), (300, top + height + 12)))


def jumper(t):
    return (t.neck_behind() + t.sleeves() + t.piece(body(556, 112)) + t.ribbing(hem_rib(556, 112)) + t.crew()
            + t.folds("M214 340Q236 440 222 540", "M388 360Q370 440 380 530"))


def roll_neck(t):
    return (t.sleeves(330, 1.12) + t.piece(body(552, 120, neck=(300, 172), neck_side=(244, 150))) + t.ribbing(hem_rib(552, 120, 50)) + t.roll_neck()
            + t.folds("M206 340Q232 440 214 540", "M396 360Q374 440 386 530"))


def cardigan(t, hem=560, half=114, long=False):
    front = symmetrical((300, 352), ((286, 300), (262, 220), (240, 158)), ((186, 184),),
                        ((200, 230), (300 - half - 2, 290), (300 - half, 330)), ((300 - half - 4, hem),),
                        ((300 - half + 40, hem + 9), (260, hem + 12), (300, hem + 12)))
    band = f"M240 158C262 222 288 300 290 356V{hem + 52}H311V352C314 300 338 222 360 158L345 152C330 214 308 282 300 322C292 282 270 214 255 152Z"
    pockets = t.pair(t.ribbing(f"M205 {hem - 130}H268V{hem - 112}H205Z") + t.seam(f"M206 {hem - 112}V{hem - 30}H267V{hem - 112}"))
    heights = range(372, hem + 40, 62 if not long else 74)
    return (t.neck_behind(160) + t.plain("M250 165H350L300 345Z", t.inside) + t.sleeves(340, 1.06) + t.piece(front)
            + t.ribbing(hem_rib(hem, half + 4)) + (pockets if long else "") + t.ribbing(band) + t.buttons(300.5, *heights)
            + t.folds(f"M212 350Q232 440 218 {hem - 40}", f"M390 360Q372 440 382 {hem - 50}"))


def long_cardigan(t):
    return cardigan(t, 640, 112, long=True)


def dress(t):
    skirt = symmetrical((300, 196), ((268, 196), (250, 180), (244, 158)), ((190, 182),), ((204, 230), (206, 290), (208, 322)),
                        ((216, 390), (216, 400), (214, 420)), ((196, 500), (164, 600), (150, 668)),
                        ((190, 684), (250, 688), (300, 688)))
    return (t.neck_behind() + t.sleeves(300, 0.9, 14, 36) + t.piece(skirt) + t.crew() + t.seam("M213 414Q300 430 387 414", 3, 0.55)
            + t.folds("M250 440Q236 560 222 670", "M300 445V680", "M350 440Q366 560 380 670"))


def summer_dress(t):
    outline = symmetrical((300, 214), ((270, 214), (256, 190), (250, 150)), ((222, 146),), ((220, 210), (214, 260), (196, 300)),
                          ((208, 360), (216, 380), (214, 404)), ((190, 500), (158, 600), (138, 664)),
                          ((190, 684), (250, 688), (300, 688)))
    straps = t.pair(t.ribbing("M222 146L250 150C256 190 270 214 300 214V226C262 224 246 196 240 158L233 157C231 214 224 266 200 306L195 300C214 260 220 210 222 146Z"))
    return (t.plain("M250 152Q300 140 350 152L330 214H270Z", t.inside) + t.piece(outline) + straps
            + t.seam("M213 402Q300 420 387 402", 3, 0.55)
            + t.folds("M246 430Q230 560 212 670", "M300 440V680", "M354 430Q372 560 388 670"))


def skirt(t):
    outline = symmetrical((300, 210), ((260, 210), (226, 206), (214, 202)), ((196, 300), (160, 480), (138, 606)),
                          ((190, 628), (250, 632), (300, 632)))
    waist = symmetrical((300, 176), ((270, 176), (236, 174), (220, 168)), ((213, 204),), ((240, 212), (270, 214), (300, 214)))
    return (t.piece(outline) + t.ribbing(waist)
            + t.folds("M244 230Q216 440 200 610", "M282 232Q272 440 268 622", "M330 232Q344 440 350 622", "M362 230Q388 440 404 608"))


def coat(t, double=False):
    outline = symmetrical((300, 318), ((284, 270), (258, 210), (238, 154)), ((182, 182),), ((196, 230), (190, 290), (188, 330)),
                          ((184, 460), (172, 580), (162, 664)), ((210, 680), (260, 684), (300, 684)))
    collar = t.pair(t.ribbing("M238 154C232 130 250 116 268 118C262 150 276 230 302 318L286 322L226 262L246 246L214 226Z"))
    pockets = t.pair(t.ribbing("M196 492L266 484V508L194 516Z"))
    x = 326 if double else 300
    rows = t.buttons(x, 350, 430, 510)
    if double:
        rows, name = t.group(rows)
        rows += f'<use href="#{name}" x="-52"/>'
    return (t.plain("M252 150H348L300 322Z", t.inside) + t.sleeves(352, 1.16, 10, 30) + t.piece(outline) + collar
            + t.seam(f"M{x + 14 if double else 312} 322V684", 2.4) + pockets + rows
            + t.folds("M214 340Q226 440 206 650", "M392 350Q384 470 396 650"))


def double_coat(t):
    return coat(t, double=True)


def poncho(t):
    outline = symmetrical((300, 214), ((272, 214), (250, 190), (244, 160)), ((190, 190), (110, 330), (70, 520)),
                          ((130, 566), (220, 610), (300, 626)))
    fringe = "".join(f"M{x} {number(520 + (x - 70) * 0.52 - ((x - 70) / 230) ** 2 * 14)}v{34}" for x in range(76, 300, 10))
    return (t.neck_behind() + t.pair(f'<path d="{fringe}" stroke="{t.knit.base}" stroke-width="4" stroke-linecap="round"/>')
            + t.piece(outline) + t.roll_neck() + t.folds("M236 230Q180 400 160 548", "M300 240V612", "M364 230Q420 400 440 548"))


def vest(t):
    outline = symmetrical((300, 312), ((284, 270), (258, 210), (246, 156)), ((200, 172),), ((222, 240), (208, 296), (190, 332)),
                          ((188, 420), (188, 500), (190, 560)), ((230, 569), (260, 572), (300, 572)))
    neck = t.pair(t.ribbing("M246 156C258 210 284 270 300 312V338C276 296 244 216 230 162Z"))
    arms = t.pair(t.ribbing("M200 172L215 168C240 240 226 300 204 338L189 332C208 296 222 240 200 172Z"))
    return (t.plain("M246 158Q300 138 354 158L300 330Z", t.inside) + t.piece(outline) + t.ribbing(hem_rib(560, 110)) + neck + arms
            + t.folds("M222 360Q240 450 226 545", "M382 370Q366 450 374 540"))


def top(t):
    return (t.neck_behind() + t.short_sleeves() + t.piece(body(530, 108, 104)) + t.ribbing(hem_rib(530, 108, 26)) + t.crew()
            + t.folds("M216 340Q236 430 224 520", "M386 350Q370 430 380 515"))


def trousers(t):
    outline = symmetrical((300, 196), ((260, 196), (232, 194), (216, 190)), ((204, 270), (184, 330), (178, 400)),
                          ((166, 520), (152, 600), (146, 660)), ((190, 672), (240, 674), (272, 668)),
                          ((284, 540), (296, 430), (300, 366)))
    waist = symmetrical((300, 158), ((270, 158), (240, 156), (222, 152)), ((216, 192),), ((240, 200), (270, 202), (300, 202)))
    cord = f'<path d="M292 188C284 220 276 232 268 246M308 188C316 220 322 236 334 244" fill="none" stroke="{t.button}" stroke-width="5" stroke-linecap="round"/>'
    return (t.piece(outline) + t.ribbing(waist) + cord + t.seam("M300 204V366")
            + t.folds("M238 240Q226 440 206 650", "M362 240Q374 440 394 650"))


def scarf(t):
    def fringe(x, width, y, angle):
        strands = "".join(f"M{x + i} {y}q{3 if i % 20 else -3} 26 0 50" for i in range(5, width, 11))
        return (f'<path d="{strands}" fill="none" stroke="{mix(t.knit.base, t.knit.first, 0.25)}" stroke-width="4.6" '
                f'stroke-linecap="round" transform="rotate({angle} 300 200)"/>')
    left = "M252 190C238 300 238 460 236 600H350C352 440 350 300 344 190Z"
    right = "M262 200C262 300 262 420 262 530H372C372 420 366 300 352 200Z"
    loop = ("M214 214C196 146 250 108 300 108S404 146 386 214C372 262 228 262 214 214ZM258 190C266 214 334 214 342 190"
            "C348 156 322 146 300 146S252 156 258 190Z")
    hole = "M258 190C266 214 334 214 342 190C348 156 322 146 300 146S252 156 258 190Z"
    return (fringe(236, 114, 600, 9) + f'<g transform="rotate(9 300 200)">{t.piece(left)}</g>'
            + fringe(262, 110, 530, -12) + f'<g transform="rotate(-12 300 200)">{t.piece(right)}</g>'
            + t.plain(hole, t.inside) + t.piece(loop).replace("<use ", '<use fill-rule="evenodd" ')
            + t.seam("M222 222C262 262 338 262 378 222", 3, 0.5) + t.folds("M232 180Q240 130 300 126"))


def hat(t, pompon=False):
    crown = "M150 470C136 300 210 190 300 190S464 300 450 470Q300 506 150 470Z"
    brim = "M142 452Q300 494 458 452L464 540Q300 586 136 540Z"
    ball = ""
    if pompon:
        tufts = "".join(f'<path d="M0 0L-7-62Q0-72 7-62Z" transform="rotate({angle})"/>' for angle in range(0, 360, 15))
        ball = (f'<g transform="translate(300 158)"><g fill="{mix(t.knit.first, t.knit.base, 0.2)}">{tufts}</g>'
                f'<circle r="44" fill="{t.knit.first}"/><circle cx="-14" cy="-14" r="20" fill="#fff" opacity=".2"/></g>')
    return (t.piece(crown) + t.ribbing(brim) + ball + t.folds("M214 250Q190 340 190 440", "M300 210V460", "M386 250Q410 340 410 440"))


def pompon_hat(t):
    return hat(t, pompon=True)


def mittens(t):
    hand = ("M206 520L196 330C188 268 226 230 270 232S340 272 338 330L334 400C352 372 388 372 394 396C400 420 356 462 332 488L326 520Z")
    cuff = "M202 516H330L336 610Q268 628 196 610Z"
    one = t.piece(hand) + t.ribbing(cuff) + t.folds("M236 270Q228 380 236 500")
    left, name = t.group(one)
    return (f'<g transform="translate(-92 -18) rotate(-8 268 420)">{left}</g>'
            f'<use href="#{name}" transform="matrix(-1 0 0 1 672 38) rotate(-10 268 420)"/>')


def socks(t):
    leg = "M214 190H330L332 440C336 500 372 520 424 540C470 560 468 622 412 626C330 630 240 620 214 560C204 530 214 470 214 420Z"
    heel = "M214 470C250 480 268 520 258 606C236 598 220 584 214 560C208 530 212 500 214 470Z"
    toe = "M424 540C470 560 468 622 412 626C396 627 384 627 372 626C392 604 392 560 380 522C394 530 408 534 424 540Z"
    cuff = "M210 150H334L331 206H213Z"
    one = t.piece(leg) + t.plain(heel, t.knit.first, 0.8) + t.plain(toe, t.knit.first, 0.8) + t.ribbing(cuff)
    back, name = t.group(one)
    return (f'<g transform="translate(64 -14) rotate(5 300 400)">{back}</g>'
            f'<use href="#{name}" transform="translate(-88 34) rotate(-4 300 400)"/>')


def blanket(t):
    back = "M128 306Q124 268 162 262L446 246Q492 246 496 288V536Q492 580 454 584L166 616Q128 616 128 580Z"
    fold = "M112 330Q108 292 146 286L430 270Q476 270 480 312V560Q476 604 438 608L150 640Q112 640 112 604Z"
    flap = "M112 420Q300 380 480 404V560Q476 604 438 608L150 640Q112 640 112 604Z"
    strands = "".join(f"M{x} {number(644 - (x - 130) * 0.1)}q{4 if x % 28 else -4} 24 0 44" for x in range(130, 456, 14))
    return (f'<path d="{strands}" fill="none" stroke="{mix(t.knit.base, t.knit.first, 0.2)}" stroke-width="5" stroke-linecap="round"/>'
            + t.piece(back) + t.plain(back, t.inside, 0.4) + t.piece(fold) + t.piece(flap) + t.folds("M130 404Q300 362 476 386"))


CUTS = {
    cut.__name__.replace("_", "-"): cut
    for cut in (jumper, roll_neck, cardigan, long_cardigan, dress, summer_dress, skirt, coat, double_coat, poncho, vest,
                top, trousers, scarf, hat, pompon_hat, mittens, socks, blanket)
}
