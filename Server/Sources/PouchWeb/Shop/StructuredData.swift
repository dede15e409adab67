import PouchEntities
import PouchJSON
import PouchTemplates

/// The structured data of a page for search engines, with schema.org types.
enum StructuredData {
    /// The data as JSON-LD for embedding in a page.
    ///
    /// No text can end the enclosing element: `<`, `>` and `&` are escaped as in JSON, as are the line separators that
    /// older scripts do not accept in strings.
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

    /// - Parameter urls: the addresses of the products, in order.
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
    ///   - search: the address of a search, without the search text.
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

    /// A product with its offer, or a group of variants, each with its own offer and address.
    ///
    /// - Parameters:
    ///   - url: the address of the product's page.
    ///   - pictures: the absolute addresses of the pictures.
    static func product(_ product: Product, url: String, pictures: [String]) -> JSON {
        var facts: JSON = [
            "@type": "Product", "name": .string(product.name), "url": .string(url),
            "image": .array(pictures.map(JSON.string)),
        ]
        facts["description"] = product.description.map(JSON.string)
        facts["material"] = product.materials.map { .array($0.map(JSON.string)) }
        guard product.variants.count > 1 else {
            facts["mpn"] = product.styleCode.map(JSON.string)
            facts["sku"] = product.variants.first.map { .string($0.sku) }
            facts["offers"] = product.variants.first.map { offer(of: $0, url: url) }
            return facts
        }
        facts["@type"] = "ProductGroup"
        facts["productGroupID"] = .string(product.styleCode ?? product.id)
        let properties = product.options.compactMap { property(of: $0.name) }
        facts["variesBy"] = .array(properties.map { .string("https://schema.org/" + $0) })
        facts["hasVariant"] = .array(
            product.variants.prefix(maxVariants).map { variant in
                let address = PagePath.adding([("sku", variant.sku)], to: url)
                let values = product.options.compactMap { variant.options[$0.name] }
                var facts: JSON = [
                    "@type": "Product", "sku": .string(variant.sku), "url": .string(address),
                    "name": .string(([product.name] + values).joined(separator: ", ")),
                    "image": .array(pictures.prefix(1).map(JSON.string)), "offers": offer(of: variant, url: address),
                ]
                for option in product.options {
                    guard let name = property(of: option.name), let value = variant.options[option.name] else {
                        continue
                    }
                    facts[name] = .string(value)
                }
                return facts
            })
        return facts
    }

    private static let maxVariants = 100

    /// The schema.org property for an option, by the option's name; nil if there is none.
    private static func property(of option: String) -> String? {
        switch option.lowercased() {
        case "colour", "color", "farbe": "color"
        case "size", "größe": "size"
        case "material": "material"
        case "pattern", "muster": "pattern"
        default: nil
        }
    }

    private static func offer(of variant: Variant, url: String) -> JSON {
        [
            "@type": "Offer", "url": .string(url),
            "price": .string(variant.price.decimal), "priceCurrency": .string(variant.price.currency.code),
            "availability": .string("https://schema.org/" + (variant.available > 0 ? "InStock" : "OutOfStock")),
            "itemCondition": "https://schema.org/NewCondition",
        ]
    }
}

/// The path of links from the front page to a page.
struct Breadcrumb {
    /// A step in the partial `breadcrumb`.
    struct Step: TemplateValues {
        let name, url: String
        let isLast: Bool
    }

    /// The steps after the front page; the last is the page itself.
    private let steps: [(name: String, path: String)]

    init(_ steps: [(name: String, path: String)]) {
        self.steps = steps
    }

    private func all(_ visit: Visit) -> [(name: String, path: String)] {
        [(visit.text("breadcrumb-home"), "/")] + steps
    }

    func values(_ visit: Visit) -> [Step] {
        let all = all(visit)
        return all.enumerated().map { place, step in
            Step(name: step.name, url: step.path, isLast: place == all.count - 1)
        }
    }

    func facts(_ visit: Visit) -> JSON {
        [
            "@type": "BreadcrumbList",
            "itemListElement": .array(
                all(visit).enumerated().map { place, step in
                    [
                        "@type": "ListItem", "position": .integer(Int64(place + 1)), "name": .string(step.name),
                        "item": .string(visit.site.absolute(step.path)),
                    ]
                }),
        ]
    }
}
