import ServerTesting
import Testing

/// Texts that execute scripts in a page that does not escape them.
enum InjectionCorpus {
    static let texts = [
        "<script>alert(1)</script>", "</script><script src=//evil.example></script>",
        "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
        // To Swift, a quote with an accent is another character than a quote.
        "\"\u{301} onmouseover=alert(1) x=\"\u{301}", "'\u{308} onfocus=alert(1) autofocus x='\u{308}",
        "<\u{338}b onclick=alert(1)>", "</title><svg onload=alert(1)>", "--><iframe src=javascript:alert(1)>",
        "]]><![CDATA[<x/>", "&lt;script&gt; & &amp; &#x3c;b&#x3e;", "{{t.cart-title}} {{{jsonLd}}} {{#menu}}",
        "%@ %s ${7*7} {{7*7}}", "\u{202E}txet lanosrep \u{2028}x\u{2029}", "\\u003cscript\\u003e \\\" \\", "a|b|c",
    ]

    /// Texts that customers, the staff and other programs could write.
    static let entries = [
        #""><script>alert(1)</script>"#, #"'"><img src=x onerror=alert(1)>"#,
        "</textarea></title><svg onload=alert(1)>", #"" autofocus onfocus="alert(1)"#, "' onmouseover='alert(1)",
        "{{csrf}} {{{shop}}} {{> admin-foot}}", "<!--", "&lt;b&gt;",
    ]

    /// A catalogue with each text in every field that a merchant fills in.
    static let feed: [FeedRecord] = texts.enumerated().flatMap { number, text -> [FeedRecord] in
        let (season, theme) = ("s\(number)", "t\(number)")
        let images = ["/assets/\(number).svg", "\(pictureHost)\(number).svg"].map { ProductImage(url: $0, alt: text) }
        let slide = ProductImage(url: "/assets/p.svg", alt: text)
        return [
            .season(Season(id: season, name: text)), .theme(Theme(id: theme, name: text, seasonId: season)),
            .product(product(number, text, careInstructions: text, images: images)),
            .promotion(FeedPromotion(line: 1, styleCode: "style-\(number)", image: slide, position: number)),
        ]
    }

    /// Stores the catalogue, with addresses of pictures that execute, as only an earlier release accepted them.
    static func store(in shop: TestShop) async throws {
        try await shop.feed(feed)
        let sql = "UPDATE products SET images = REPLACE(images, '\(pictureHost)', 'javascript:alert(1)//')"
        _ = try await shop.database { try $0.run(sql, []) }
        // With a change of each product, the shop reads all of them again.
        let changed = texts.enumerated().map { number, text in
            FeedRecord.product(product(number, text, careInstructions: "\(text)\n\(text)", images: nil))
        }
        #expect(try await shop.feed(changed).updated == texts.count)
    }

    private static let pictureHost = "https://evil.example/"

    /// - Parameter images: the new pictures; nil keeps the previous ones.
    private static func product(
        _ number: Int, _ text: String, careInstructions: String, images: [ProductImage]?
    ) -> FeedProduct {
        FeedProduct(
            line: 1, handle: "evil-\(number)", styleCode: "style-\(number)", name: text,
            description: "\(text)\n\(text)", seasonId: "s\(number)", themeId: "t\(number)",
            categoryName: "\(number) \(text)", tags: [text.replacing(",", with: "")], materials: [text],
            careInstructions: careInstructions,
            options: [ProductOption(name: "O \(text)", values: ["1 \(text)", "2 \(text)"])], images: images,
            variants: (1...2).map { (place: Int) in
                FeedVariant(
                    sku: "evil-\(number)-\(place)", options: ["O \(text)": "\(place) \(text)"],
                    price: Money(1_000, .eur), compareAtPrice: Money(2_000, .eur), stock: place)
            })
    }
}

extension WebPage {
    /// The parts of the page that would run, or lead elsewhere: handlers, scripts of others, and addresses. The
    /// sandboxed frame of a mail and the empty picture of a new row are none.
    var dangers: [String] {
        tokens.flatMap { token -> [String] in
            guard case .opening(let name, let attributes) = token else { return [] }
            var found = attributes.keys.filter { $0.hasPrefix("on") }.map { "\(name) \($0)" }
            if name == "script", attributes["type"] != "application/ld+json",
                attributes["src"]?.hasPrefix("/web/") != true
            {
                found.append("script")
            }
            let isMail = name == "iframe" && attributes["sandbox"] == "" && address.hasPrefix("/admin/mails/")
            if ["iframe", "object", "embed", "base"].contains(name), !isMail { found.append(name) }
            for address in ["href", "src", "action"].compactMap({ attributes[$0]?.lowercased() })
            where ["javascript:", "data:", "//"].contains(where: { address.hasPrefix($0) }) && address != "data:," {
                found.append("\(name) \(address)")
            }
            return found
        }
    }
}
