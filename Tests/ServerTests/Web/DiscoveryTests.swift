import PouchWeb
import ServerTesting
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@testable import PouchDomain
@testable import PouchTemplates

@Suite("What programs read of the shop", .withPages([]) { $0.shopName = "Salt & Pine" })
struct DiscoveryTests {
    fileprivate static let url = "https://shop.example.com"

    private let shop = TestShop.current
    private let visitor = WebVisitor(.current, isSecure: true)

    init() async throws {
        try await shop.feed(CatalogPageTests.feed)
        shop.clock.advance(by: 1)
    }

    @Test func `The feed has the latest products, in the visitor's language`() async throws {
        let page = try await visitor.get("/feed.xml")
        #expect(page.status == 200 && page.header("Content-Type") == "application/atom+xml; charset=utf-8")
        let feed = try XMLText(page)
        #expect(feed.texts("feed/title") == ["New products – Salt & Pine"])
        #expect(Set(feed.texts("feed/entry/title")) == ["Spruce Jumper", "Pine Cap", "Belt", "Straw Hat"])
        #expect(feed.texts("feed/entry/id").contains(Self.url + "/product/jumper"))
        #expect(feed.texts("feed/entry/summary").contains { $0.hasPrefix("from €149.00. A yoke") })
        #expect(feed.texts("feed/updated").count == 1 && feed.texts("feed/author/name") == ["Salt & Pine"])
        // A reader that follows one language keeps it by its address.
        #expect(feed.texts("feed/id") == [Self.url + "/feed.xml?lang=en"])
        let german = try XMLText(try await WebVisitor(shop, isSecure: true, language: "de").get("/feed.xml"))
        #expect(german.texts("feed/id") == [Self.url + "/feed.xml?lang=de"])
        let titles = german.texts("feed/title")
        #expect(titles != feed.texts("feed/title"))
        #expect(try await XMLText(visitor.get("/feed.xml?lang=de")).texts("feed/title") == titles)
        try await shop.stock([.stocked("scarf", name: "Scarf")])
        shop.clock.advance(by: 1)
        #expect(try await XMLText(visitor.get("/feed.xml")).texts("feed/entry/title").first == "Scarf")
    }

    @Test(arguments: ["/feed.xml", "/sitemap.xml", "/robots.txt", "/llms.txt"])
    func `A client that has the document gets it again only after a change`(address: String) async throws {
        let first = try await visitor.get(address)
        let etag = try #require(first.header("ETag"))
        let known = try await visitor.get(address, headers: ["If-None-Match": etag])
        #expect(known.status == 304 && known.body.isEmpty && known.header("ETag") == etag)
        #expect(try await visitor.get(address, headers: ["If-None-Match": "\"other\""]).body == first.body)
        guard address.hasSuffix(".xml") else { return }
        try await shop.stock([.stocked("scarf", name: "Scarf")])
        shop.clock.advance(by: 1)
        #expect(try await visitor.get(address, headers: ["If-None-Match": etag]).status == 200)
    }

    @Test func `The site map has every product, category and season, and follows the catalogue`() async throws {
        let page = try await visitor.get("/sitemap.xml")
        #expect(page.header("Content-Type") == "application/xml; charset=utf-8")
        let paths = [
            "/", "/products", "/category/belts", "/category/hats", "/category/jumpers", "/season/72",
            "/product/belt", "/product/cap", "/product/hat", "/product/jumper",
        ]
        #expect(try XMLText(page).texts("urlset/url/loc").sorted() == paths.map { Self.url + $0 }.sorted())
        #expect(try await visitor.get("/sitemap-1.xml").status == 404)
        try await shop.admin().change(product: "cap") { $0.status = .withdrawn }.good()
        try await shop.services.catalog.check()
        let changed = try await visitor.get("/sitemap.xml")
        #expect(changed.status == 200 && !changed.text.contains("/product/cap"))
    }

    @Test(.withPages([]) { $0.siteMapEntries = 4 })
    func `A site map with more addresses than its limit is split into parts`() async throws {
        let parts = try await XMLText(visitor.get("/sitemap.xml")).texts("sitemapindex/sitemap/loc")
        #expect(parts == (1...3).map { "\(Self.url)/sitemap-\($0).xml" })
        var found: [String] = []
        for part in parts {
            let map = try await visitor.get(String(part.dropFirst(Self.url.count)))
            let urls = try XMLText(map).texts("urlset/url/loc")
            #expect((1...4).contains(urls.count))
            found += urls
        }
        #expect(found.count == 10 && Set(found).count == 10)
        for name in [
            "0.xml", "4.xml", "-1.xml", "1", "x.xml", "99999999999999999999.xml", "01.xml", "+1.xml", "1.xml.xml",
        ] { #expect(try await visitor.get("/sitemap-\(name)").status == 404, "\(name)") }
    }

    @Test func `Robots and assistants get plain text without entities`() async throws {
        let robots = try await visitor.get("/robots.txt")
        #expect(robots.header("Content-Type") == "text/plain; charset=utf-8")
        #expect(robots.text.contains("Sitemap: \(Self.url)/sitemap.xml"))
        #expect(robots.text.contains("Disallow: /admin") && !robots.text.contains("Disallow: /product"))
        let taxonomy = try await visitor.get("/llms.txt")
        #expect(taxonomy.text.hasPrefix("# Salt & Pine\n"))
        #expect(taxonomy.header("Content-Type") == "text/plain; charset=utf-8")
        for text in [
            "[Hats](\(Self.url)/category/hats): 2", "[Autumn](\(Self.url)/season/72)", "\(Self.url)/docs",
            "\(Self.url)/openapi.json", "EUR",
        ] { #expect(taxonomy.text.contains(text), "\(text)") }
    }

    @Test func `Each address of a page in a language is its own canonical one`() async throws {
        // Asked for in both orders, since the pages of a language are kept.
        for query in ["", "?lang=de", "?lang=en", "?lang=xx", "?utm_source=mail&lang=de"] {
            let page = try await WebVisitor(shop, isSecure: true).get("/product/jumper" + query)
            let links = page.attributes(of: "link")
            let named = query.hasSuffix("de") ? "?lang=de" : query == "?lang=en" ? query : ""
            let canonical = links.first { $0["rel"] == "canonical" }?["href"] ?? ""
            #expect(canonical.hasSuffix("/product/jumper" + named), "\(query): \(canonical)")
            let others = links.filter { $0["hreflang"] != nil }
            #expect(others.compactMap { $0["hreflang"] } == ["en", "de", "x-default"])
            for (link, end) in zip(others, ["?lang=en", "?lang=de", ""]) {
                #expect(link["href"]?.hasSuffix("/product/jumper" + end) == true)
            }
            #expect(query.hasSuffix("de") == page.text.contains("<html lang=\"de\""))
        }
    }

    @Test func `The front page names the shop and its search to search engines`() async throws {
        let page = try await visitor.get("/")
        #expect(page.text.contains("\"@type\":\"WebSite\"") && page.text.contains("Salt \\u0026 Pine"))
        #expect(page.text.contains("\(Self.url)/search?q={search_term_string}"))
        let description = page.attributes(of: "meta").first { $0["name"] == "description" }?["content"]
        #expect(description?.hasPrefix("Salt & Pine: Hats") == true, "\(description ?? "")")
    }
}

@Suite("What programs read of other shops")
struct OtherDiscoveryTests {
    @Test(.inShop([]), arguments: ["/", "/admin/sign-in"])
    func `The styles, the script and the icon of a page are served`(address: String) async throws {
        let visitor = WebVisitor(.current)
        let page = try await visitor.get(address)
        let parts = page.attributes(of: "link") + page.attributes(of: "script")
        let files = parts.compactMap { $0["href"] ?? $0["src"] }.filter { $0.hasPrefix("/web/") }
        #expect(Set(files.map { $0.split(separator: ".").last ?? "" }) == ["css", "js", "svg"], "\(files)")
        for file in files {
            let answer = try await visitor.get(file)
            #expect(answer.status == 200 && !answer.body.isEmpty, "\(file)")
            let packed = try await visitor.get(file, headers: ["Accept-Encoding": "br, gzip;q=0.5"])
            #expect(packed.header("Content-Encoding") == "gzip" && packed.body.prefix(2) == Data([0x1f, 0x8b]))
            #expect(packed.body.count < answer.body.count && packed.header("Vary") == "Accept-Encoding")
            for refusal in ["gzip;q=0", "deflate", "gzip; q=0.000"] {
                let plain = try await visitor.get(file, headers: ["Accept-Encoding": refusal])
                #expect(plain.header("Content-Encoding") == nil && plain.body == answer.body)
            }
        }
        #expect(files.contains(try await visitor.get("/favicon.ico").location ?? ""))
    }

    @Test(.withPages([])) func `An empty shop has a feed, a site map and a description`() async throws {
        let visitor = WebVisitor(.current, isSecure: true)
        let feed = try XMLText(try await visitor.get("/feed.xml"))
        #expect(feed.texts("feed/entry/title") == [] && feed.texts("feed/updated").count == 1)
        #expect(try await XMLText(visitor.get("/sitemap.xml")).texts("urlset/url/loc").count == 2)
        #expect(try await visitor.get("/llms.txt").status == 200)
    }

    @Test(.withPages([]))
    func `Documents with any text of a merchant are well-formed and contain it unchanged`() async throws {
        try await TestShop.current.feed(InjectionCorpus.feed)
        TestShop.current.clock.advance(by: 1)
        let visitor = WebVisitor(.current, isSecure: true)
        let titles = try await XMLText(visitor.get("/feed.xml")).texts("feed/entry/title")
        #expect(Set(titles.map(\.singleLine)) == Set(InjectionCorpus.texts.map(\.singleLine)))
        _ = try await XMLText(visitor.get("/sitemap.xml"))
    }

    @Test(.inFolder)
    func `An owner replaces the text for robots, and no template switches off the escaping`() async throws {
        let folder = TemporaryFolder.current
        func theme(_ name: String, _ text: String) throws -> WebTheme {
            let file = folder.appending(path: name)
            try Data(text.utf8).write(to: file)
            defer { try? FileManager.default.removeItem(at: file) }
            return try WebTheme(folder: folder)
        }
        let robots = try theme("robots.txt", "Sitemap & more: {{siteMap}}\n")
        let own = WebSettings(publicURL: DiscoveryTests.url, theme: robots)
        try await TestShop.open([], configure: { $0.web = own }) { shop in
            let robots = try await WebVisitor(shop, isSecure: true).get("/robots.txt")
            #expect(robots.text == "Sitemap & more: \(DiscoveryTests.url)/sitemap.xml\n")
        }
        for text in [
            "{{=<% %>=}}<%& name %>", "{{% CONTENT_TYPE: TEXT}}\n{{name}}", "{{{name}}}", "{{&name}}",
            "<p>\n{{{\nname}}}", "{{& name\n}}", "{{{lowercased(name)}}}", "{{#image}}{{{url}}}{{/image}}",
            // A page with these would never end.
            "{{name}}{{> product-card}}", "{{#image}}\n{{>product-list}}{{/image}}",
        ] {
            #expect(throws: TemplateMistake.self, "\(text)") { _ = try theme("product-card.mustache", text) }
        }
        #expect(throws: Never.self) { _ = try theme("product-card.mustache", "{{name}}{{> pager}}{{> pager}}") }
    }
}

/// The texts of an XML document by the paths of their elements. Throws for a document that is not well-formed.
private final class XMLText: NSObject, XMLParserDelegate {
    private var path: [String] = []
    private var found: [(path: String, text: String)] = []
    private var text = ""

    init(_ page: WebPage) throws {
        super.init()
        let parser = XMLParser(data: page.body)
        parser.delegate = self
        guard parser.parse() else { throw parser.parserError ?? WebMistake("This is no XML: \(page.text)") }
    }

    func texts(_ path: String) -> [String] { found.filter { $0.path == path }.map(\.text) }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        path.append(name)
        text = ""
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        found.append((path.joined(separator: "/"), text))
        path.removeLast()
    }
}
