"""Rules of Lighthouse that a browser alone can check, on the pages where buyers arrive and pay."""

import re

from shopping import puts_into_cart
from visitor import Visitor

# Lighthouse's own phone.
WIDTH, HEIGHT = 412, 823
PAGES = ["/", "/products", "/category/jumpers", "/product/spruce-jumper", "/search?q=wool", "/cart", "/checkout",
         "/sign-in", "/docs"]
# Search engines and previews of links get these.
PUBLIC = {"/", "/products", "/category/jumpers", "/product/spruce-jumper"}
# The bounds that Lighthouse names in its reports.
MOST_SHIFT, MOST_NODES, MOST_DEPTH, MOST_CHILDREN, SMALLEST_TEXT = 0.1, 1_400, 32, 60, 12
GENERIC = {"click here", "click this", "go", "here", "information", "learn more", "more", "more info", "more information",
           "read more", "right here", "this", "start"}
# Shorter files gain nothing.
LEAST_COMPRESSED = 1_400
LONG = 30 * 24 * 3600

# Begins before the page: what happens while it is loaded is measured, too.
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
        noWay: links.filter((one) => /^(javascript:|#?$)/.test(one.getAttribute("href"))).map(short),
        names: links.map((one) => one.innerText.trim().toLowerCase()),
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
    """The rules for speed, search engines and good practice; axe has those for accessibility."""
    problems = []
    with Visitor(browser, shop, WIDTH, HEIGHT, device_scale_factor=1.75, has_touch=True) as ann:
        puts_into_cart(ann, "spruce-jumper")
        ann.context.add_init_script(OBSERVERS)
        answers = []
        ann.context.on("response", lambda answer: answers.append(answer))
        for path in PAGES:
            answers.clear()
            ann.opens(path).tab.wait_for_load_state("networkidle")
            found = judged(ann.tab.evaluate(FACTS), path) + [
                problem for answer in answers for problem in judged_answer(answer, path)]
            problems += [f"{path}: {problem}" for problem in found]
    assert not problems, f"{len(problems)} problems:\n" + "\n".join(problems)


def judged(facts, path):
    rules = {
        f"The layout shifts by {facts['shift']:.3f}.": facts["shift"] > MOST_SHIFT,
        f"{facts['nodes']} elements, {facts['depth']} deep, up to {facts['children']} in one.":
            facts["nodes"] > MOST_NODES or facts["depth"] > MOST_DEPTH or facts["children"] > MOST_CHILDREN,
        f"Pictures without a size: {facts['unsized']}": facts["unsized"],
        f"Distorted pictures: {facts['distorted']}": facts["distorted"],
        f"Pictures far below that are loaded at once: {facts['eager']}": facts["eager"],
        "The largest picture is loaded late.": facts["largestIsLazy"],
        f"Listeners that browsers discourage: {facts['listeners']}": facts["listeners"],
        f"Scripts that stop the page: {facts['blocking']}": facts["blocking"],
        f"{facts['sheets']} style sheets stop the page.": facts["sheets"] > 1,
        f"Texts of less than {SMALLEST_TEXT} pixels: {facts['small'][:5]}": facts["small"],
        f"Less than 44 pixels high: {facts['targets']}": facts["targets"],
        f"Links to nowhere: {facts['noWay']}": facts["noWay"],
        f"Names of links that say nothing: {GENERIC & set(facts['names'])}": GENERIC & set(facts["names"]),
        "No title, language or width for phones.":
            not facts["title"] or not facts["language"] or "width=device-width" not in facts["viewport"],
        "Visitors cannot enlarge the page.": re.search(r"user-scalable=(no|0)|maximum-scale=[1-4]\b", facts["viewport"]),
        "No HTML 5, or not UTF-8.": facts["doctype"] != "CSS1Compat" or facts["charset"] != "UTF-8",
        "Search engines find no description, or no canonical address, or may not list the page.":
            path in PUBLIC and (not facts["description"] or "://" not in facts["canonical"] or "noindex" in facts["robots"]),
    }
    return [text for text, is_broken in rules.items() if is_broken]


def judged_answer(answer, path):
    name, headers = answer.url.split("/", 3)[3], answer.headers
    is_page = answer.request.resource_type == "document"
    if is_page and path in PUBLIC and "no-store" in headers.get("cache-control", ""):
        yield "The browser may not keep the page for its back button."
    if answer.request.resource_type in ("stylesheet", "script"):
        age = re.search(r"max-age=(\d+)", headers.get("cache-control", ""))
        if not age or int(age[1]) < LONG:
            yield f"{name} is kept for a short time."
        if int(headers.get("content-length", LEAST_COMPRESSED)) >= LEAST_COMPRESSED and "content-encoding" not in headers:
            yield f"{name} is sent without compression."
