import Foundation
import PouchEntities
import PouchJSON

/// The data of a page for search engines, with the types of schema.org.
enum StructuredData {
    /// The data as JSON-LD that can stand in a page.
    ///
    /// No text in it can end the element around it: `<`, `>` and `&` are written as JSON writes any character, and so are
    /// the line ends that older scripts do not accept in a text.
    static func text(_ facts: [JSON]) -> String? {
        let document: JSON = ["@context": "https://schema.org", "@graph": .array(facts)]
        guard let json = try? document.json() else { return nil }
        var text = String.UnicodeScalarView()
        for scalar in String(decoding: json, as: UTF8.self).unicodeScalars {
            switch scalar {
            case "<", ">", "&", "\u{2028}", "\u{2029}":
                let number = String(scalar.value, radix: 16)
                let digits = String(repeating: "0", count: 4 - number.count) + number
                text.append(contentsOf: "\\u\(digits)".unicodeScalars)
            default: text.append(scalar)
            }
        }
        return String(text)
    }

    /// - Parameter urls: those of the products, in their order.
    static func list(_ urls: [String]) -> JSON {
        [
            "@type": "ItemList",
            "itemListElement": .array(
                urls.enumerated().map { place, url in
                    ["@type": "ListItem", "position": .integer(Int64(place + 1)), "url": .string(url)]
                }),
        ]
    }

    /// - Parameters:
    ///   - url: the shop's front page.
    ///   - search: the address of a search without its words.
    static func shop(_ name: String, url: String, search: String) -> JSON {
        [
            "@type": "WebSite", "name": .string(name), "url": .string(url),
            "publisher": ["@type": "OnlineStore", "name": .string(name), "url": .string(url)],
            "potentialAction": [
                "@type": "SearchAction",
                "target": [
                    "@type": "EntryPoint", "urlTemplate": .string(search + "?q={search_term_string}"),
                ],
                "query-input": "required name=search_term_string",
            ],
        ]
    }

    /// A product with its offers.
    ///
    /// - Parameters:
    ///   - url: its page.
    ///   - pictures: whole addresses.
    static func product(_ product: Product, url: String, pictures: [String]) -> JSON {
        var facts: JSON = [
            "@type": "Product", "name": .string(product.name), "url": .string(url),
            "productID": .string(product.id), "image": .array(pictures.map(JSON.string)),
        ]
        facts["description"] = product.description.map(JSON.string)
        facts["mpn"] = product.styleCode.map(JSON.string)
        facts["material"] = product.materials.map { .array($0.map(JSON.string)) }
        let offers = product.variants.prefix(mostOffers).map { offer(of: $0, url: url) }
        if offers.count == 1 {
            facts["offers"] = offers[0]
        } else if let least = product.variants.map(\.price.amount).min(),
            let most = product.variants.map(\.price.amount).max()
        {
            let currency = product.price.currency
            facts["offers"] = [
                "@type": "AggregateOffer", "priceCurrency": .string(currency.code),
                "lowPrice": .string(Money(least, currency).decimal),
                "highPrice": .string(Money(most, currency).decimal),
                "offerCount": .integer(Int64(product.variants.count)), "offers": .array(offers),
            ]
        }
        return facts
    }

    private static let mostOffers = 100

    private static func offer(of variant: Variant, url: String) -> JSON {
        [
            "@type": "Offer", "sku": .string(variant.sku), "url": .string(url),
            "price": .string(variant.price.decimal), "priceCurrency": .string(variant.price.currency.code),
            "availability": .string("https://schema.org/" + (variant.available > 0 ? "InStock" : "OutOfStock")),
            "itemCondition": "https://schema.org/NewCondition",
        ]
    }
}

/// The links from the front page to a page.
struct Breadcrumb {
    /// Without the front page; the last is the page itself.
    private let steps: [(name: String, path: String)]

    init(_ steps: [(name: String, path: String)]) {
        self.steps = steps
    }

    private func all(_ site: Site, _ visit: Visit) -> [(name: String, path: String)] {
        [(site.text("breadcrumb-home", visit), "/")] + steps
    }

    /// For the partial `breadcrumb`.
    func values(_ site: Site, _ visit: Visit) -> [PageValues] {
        let all = all(site, visit)
        return all.enumerated().map { place, step in
            ["name": step.name, "url": step.path, "isLast": place == all.count - 1]
        }
    }

    func facts(_ site: Site, _ visit: Visit) -> JSON {
        [
            "@type": "BreadcrumbList",
            "itemListElement": .array(
                all(site, visit).enumerated().map { place, step in
                    [
                        "@type": "ListItem", "position": .integer(Int64(place + 1)), "name": .string(step.name),
                        "item": .string(site.absolute(step.path)),
                    ]
                }),
        ]
    }
}
