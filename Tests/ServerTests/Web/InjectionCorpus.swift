import Foundation
import PouchEntities
import PouchFeed
import PouchImport
import PouchStorage
import Testing

/// Texts that take over a page which writes them as they are.
enum InjectionCorpus {
    static let texts = [
        "<script>alert(1)</script>", "</script><script src=//evil.example></script>",
        "\"><img src=x onerror=alert(1)>", "' onmouseover='alert(1)",
        // To Swift, a quote with an accent is another character than a quote.
        "\"\u{301} onmouseover=alert(1) x=\"\u{301}", "'\u{308} onfocus=alert(1) autofocus x='\u{308}",
        "<\u{338}b onclick=alert(1)>", "</title><svg onload=alert(1)>", "--><iframe src=javascript:alert(1)>",
        "]]><![CDATA[<x/>", "&lt;script&gt; & &amp; &#x3c;b&#x3e;", "{{t.cart-title}} {{{jsonLd}}} {{#menu}}",
        "%@ %s ${7*7} {{7*7}}", "\u{202E}txet lanosrep \u{2028}x\u{2029}", "\\u003cscript\\u003e \\\" \\",
        "a|b|c",
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

    /// Stores the catalogue, with addresses of pictures that run, as only an earlier release took them.
    static func store(in shop: TestShop) async throws {
        try await shop.feed(feed)
        let sql = "UPDATE products SET images = REPLACE(images, '\(pictureHost)', 'javascript:alert(1)//')"
        _ = try await shop.database { try $0.run(sql, []) }
        // With a change of each product, the shop reads all of them again.
        let changed = texts.enumerated().map { number, text in
            FeedRecord.product(product(number, text, careInstructions: "\(text)\n\(text)", images: nil))
        }
        let report = try await shop.feed(changed)
        #expect(report.updated == texts.count)
    }

    private static let pictureHost = "https://evil.example/"

    /// - Parameter images: nil leaves those of before.
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
    /// The parts of a page of the administration that would run, besides the sandboxed frame of a mail and the empty
    /// picture of a new row.
    var dangers: [String] {
        MarkupScan(text).dangers.filter { danger in
            danger != "img data:," && !(danger == "iframe" && address.hasPrefix("/admin/mails/"))
        }
    }
}

/// Reads a page byte by byte, as a browser does, and finds what would run.
struct MarkupScan {
    /// In small letters, with the attributes of each.
    private(set) var elements: [(name: String, attributes: [String: String])] = []
    private var bytes: ArraySlice<UInt8>

    init(_ html: String) {
        bytes = Array(html.utf8)[...]
        while let start = bytes.firstIndex(of: UInt8(ascii: "<")) {
            bytes = bytes[(start + 1)...]
            guard let first = bytes.first, Self.isLetter(first) else { continue }
            let name = take { !Self.ends.contains($0) }.lowercased()
            elements.append((name, attributes()))
            // A script has no elements, up to its first end.
            if name == "script" { bytes = bytes.firstRange(of: "</script".utf8).map { bytes[$0.lowerBound...] } ?? [] }
        }
    }

    /// The parts that would run, or lead elsewhere: handlers, scripts that are not of the shop, and addresses that run.
    var dangers: [String] {
        elements.flatMap { name, attributes -> [String] in
            var found = attributes.keys.filter { $0.hasPrefix("on") }.map { "\(name) \($0)" }
            if name == "script", attributes["type"] != "application/ld+json",
                attributes["src"]?.hasPrefix("/web/") != true
            {
                found.append("script")
            }
            if ["iframe", "object", "embed", "base"].contains(name) { found.append(name) }
            for address in ["href", "src", "action"].compactMap({ attributes[$0]?.lowercased() })
            where address.hasPrefix("javascript:") || address.hasPrefix("data:") || address.hasPrefix("//") {
                found.append("\(name) \(address)")
            }
            return found
        }
    }

    private static let space = Set(" \t\n\r\u{c}".utf8)
    private static let ends = space.union(">/".utf8)

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private mutating func take(while condition: (UInt8) -> Bool) -> String {
        let taken = bytes.prefix(while: condition)
        bytes = bytes.dropFirst(taken.count)
        return String(decoding: taken, as: UTF8.self)
    }

    private mutating func attributes() -> [String: String] {
        var attributes: [String: String] = [:]
        while true {
            _ = take { Self.space.contains($0) || $0 == UInt8(ascii: "/") }
            guard let first = bytes.first, first != UInt8(ascii: ">") else { return attributes }
            var name = take { !Self.ends.contains($0) && $0 != UInt8(ascii: "=") }.lowercased()
            if name.isEmpty { name = String(decoding: [bytes.removeFirst()], as: UTF8.self) }
            _ = take { Self.space.contains($0) }
            guard bytes.first == UInt8(ascii: "=") else {
                attributes[name] = attributes[name] ?? ""
                continue
            }
            bytes.removeFirst()
            _ = take { Self.space.contains($0) }
            let quote = bytes.first.flatMap { "\"'".utf8.contains($0) ? $0 : nil }
            if quote != nil { bytes.removeFirst() }
            let value = take { byte in
                if let quote { byte != quote } else { !Self.space.contains(byte) && byte != UInt8(ascii: ">") }
            }
            if quote != nil { bytes = bytes.dropFirst() }
            attributes[name] = attributes[name] ?? value
        }
    }
}
