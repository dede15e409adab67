"""Rules of Lighthouse that a browser alone can check, on the pages where buyers arrive and pay."""

import re

from shopping import puts_into_cart
from visitor import Visitor

# The viewport of Lighthouse's mobile emulation, and how many times slower it makes the processor: a page that is parsed
# in steps shows what moves in between.
WIDTH, HEIGHT, SLOWDOWN = 412, 823, 4
PAGES = ["/", "/products", "/category/jumpers", "/product/spruce-jumper", "/search?q=wool", "/cart", "/checkout",
         "/sign-in", "/docs"]
# Search engines and previews of links get these.
PUBLIC = {"/", "/products", "/category/jumpers", "/product/spruce-jumper"}
# The bounds that Lighthouse names in its reports.
MOST_SHIFT, MOST_NODES, MOST_DEPTH, MOST_CHILDREN, SMALLEST_TEXT = 0.1, 1_400, 32, 60, 12
GENERIC = {"click here", "click this", "go", "here", "information", "learn more", "more", "more info", "more information",
           "read more", "right here", "this", "start"}
# Compression gains nothing for shorter files.
LEAST_COMPRESSED = 1_400
LONG = 30 * 24 * 3600

# Runs before the page, so that it also measures what happens while the page loads.
OBSERVERS = """(() => {
    window.measured = { shift: 0, largest: null, listeners: [] };
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) measured.shift += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) measured.largest = entry.element;
    }).observe({ type: "largest-contentful-paint", buffered: true });
    const listen = EventTarget.prototype.addEventListener;
    EventTarget.prototype.addEventListener = function (type, ...rest) {
        if (type === "unload" || type === "paste") measured.listeners.push(type);
        return listen.call(this, type, ...rest);
    };
})()"""

# When the page has been drawn and its scripts have run. Chromium may never report an idle network while it slows down.
SETTLED = "() => new Promise((done) => requestAnimationFrame(() => requestIdleCallback(done)))"

FACTS = """() => {
    const all = [...document.querySelectorAll("*")];
    const depth = (node) => node.parentElement ? 1 + depth(node.parentElement) : 1;
    const short = (node) => node.outerHTML.slice(0, 160);
    const images = [...document.images];
    const small = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text; (text = texts.nextNode());) {
        const parent = text.parentElement;
        if (text.data.trim() && parent.checkVisibility() && !parent.closest("script, style, svg, .visually-hidden")
            && parseFloat(getComputedStyle(parent).fontSize) < SMALLEST) small.push(short(parent));
    }
    const links = [...document.links];
    return {
        shift: measured.shift,
        nodes: all.length,
        depth: Math.max(...all.map(depth)),
        children: Math.max(...all.filter((node) => node.localName !== "select").map((node) => node.childElementCount)),
        unsized: images.filter((one) => !one.getAttribute("width") || !one.getAttribute("height")).map(short),
        distorted: images.filter((one) => one.complete && one.naturalWidth && one.width
            && getComputedStyle(one).objectFit === "fill"
            && Math.abs(one.width / one.height / (one.naturalWidth / one.naturalHeight) - 1) > 0.05).map(short),
        eager: images.filter((one) => one.loading !== "lazy"
            && one.getBoundingClientRect().top > 2.5 * innerHeight).map(short),
        largestIsLazy: measured.largest?.loading === "lazy",
        listeners: measured.listeners,
        blocking: [...document.head.querySelectorAll("script[src]:not([defer], [async], [type=module])")].map(short),
        sheets: document.head.querySelectorAll("link[rel=stylesheet]:not([media=print])").length,
        small,
        targets: [...document.querySelectorAll("button, select, summary, textarea, input:not([type=hidden]), nav a, .button")]
            .map((one) => one.matches("[type=radio], [type=checkbox]") ? one.closest("label") ?? one : one)
            .filter((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true })
                && !one.closest(".visually-hidden") && one.getBoundingClientRect().height < 43.5).map(short),
        uncrawlable: links.filter((one) => /^(javascript:|#?$)/.test(one.getAttribute("href"))).map(short),
        linkTexts: links.map((one) => one.innerText.trim().toLowerCase()),
        title: document.title,
        language: document.documentElement.lang,
        viewport: document.querySelector("meta[name=viewport]")?.content ?? "",
        description: document.querySelector("meta[name=description]")?.content ?? "",
        robots: document.querySelector("meta[name=robots]")?.content ?? "",
        canonical: document.querySelector("link[rel=canonical]")?.href ?? "",
        doctype: document.compatMode,
        charset: document.characterSet,
    };
}""".replace("SMALLEST", str(SMALLEST_TEXT))


def follows_lighthouse(browser, shop):
    """Lighthouse's rules for performance, SEO and best practices; axe checks accessibility."""
    problems = []
    with Visitor(browser, shop, WIDTH, HEIGHT, device_scale_factor=1.75, has_touch=True) as ann:
        puts_into_cart(ann, "spruce-jumper")
        ann.context.add_init_script(OBSERVERS)
        ann.context.new_cdp_session(ann.tab).send("Emulation.setCPUThrottlingRate", {"rate": SLOWDOWN})
        responses = []
        ann.context.on("response", lambda response: responses.append(response))
        for path in PAGES:
            responses.clear()
            ann.opens(path).tab.evaluate(SETTLED)
            found = page_violations(ann.tab.evaluate(FACTS), path) + [
                problem for response in responses for problem in response_violations(response, path)]
            problems += [f"{path}: {problem}" for problem in found]
    assert not problems, f"{len(problems)} problems:\n" + "\n".join(problems)


def page_violations(facts, path):
    rules = {
        f"The layout shifts by {facts['shift']:.3f}.": facts["shift"] > MOST_SHIFT,
        f"{facts['nodes']} elements, {facts['depth']} deep, up to {facts['children']} in one.":
            facts["nodes"] > MOST_NODES or facts["depth"] > MOST_DEPTH or facts["children"] > MOST_CHILDREN,
        f"Images without width and height: {facts['unsized']}": facts["unsized"],
        f"Distorted images: {facts['distorted']}": facts["distorted"],
        f"Offscreen images that are not lazy-loaded: {facts['eager']}": facts["eager"],
        "The LCP image is lazy-loaded.": facts["largestIsLazy"],
        f"Listeners for unload or paste: {facts['listeners']}": facts["listeners"],
        f"Render-blocking scripts: {facts['blocking']}": facts["blocking"],
        f"{facts['sheets']} render-blocking stylesheets.": facts["sheets"] > 1,
        f"Texts of less than {SMALLEST_TEXT} pixels: {facts['small'][:5]}": facts["small"],
        f"Touch targets of less than 44 pixels: {facts['targets']}": facts["targets"],
        f"Links that are not crawlable: {facts['uncrawlable']}": facts["uncrawlable"],
        f"Link texts that are not descriptive: {GENERIC & set(facts['linkTexts'])}": GENERIC & set(facts["linkTexts"]),
        "No title, lang attribute or viewport width.":
            not facts["title"] or not facts["language"] or "width=device-width" not in facts["viewport"],
        "The viewport prevents zooming.": re.search(r"user-scalable=(no|0)|maximum-scale=[1-4]\b", facts["viewport"]),
        "No HTML 5, or not UTF-8.": facts["doctype"] != "CSS1Compat" or facts["charset"] != "UTF-8",
        "No description or canonical address, or noindex.":
            path in PUBLIC and (not facts["description"] or "://" not in facts["canonical"] or "noindex" in facts["robots"]),
    }
    return [text for text, is_broken in rules.items() if is_broken]


def response_violations(response, path):
    name, headers = response.url.split("/", 3)[3], response.headers
    is_page = response.request.resource_type == "document"
    if is_page and path in PUBLIC and "no-store" in headers.get("cache-control", ""):
        yield "no-store keeps the page out of the back/forward cache."
    if response.request.resource_type in ("stylesheet", "script"):
        age = re.search(r"max-age=(\d+)", headers.get("cache-control", ""))
        if not age or int(age[1]) < LONG:
            yield f"{name} has a short cache lifetime."
        if int(headers.get("content-length", LEAST_COMPRESSED)) >= LEAST_COMPRESSED and "content-encoding" not in headers:
            yield f"{name} is sent without compression."
