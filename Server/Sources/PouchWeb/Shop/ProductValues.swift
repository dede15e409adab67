import PouchDomain
import PouchEntities
import PouchTemplates

/// The values of the partial `product-card`.
struct ProductCard: TemplateValues {
    struct Badge: TemplateValues {
        let text: String
        let isAccent: Bool
    }

    let url, name, price: String
    /// Whether the browser loads the picture before the visitor scrolls to it.
    let isEager: Bool
    let image: PictureValues?
    let compareAtPrice: String?
    let badge: Badge?
    let note: String?
}

/// A picture of a product.
struct PictureValues: TemplateValues {
    let url, alt: String
}

/// A link to a season, or to one of its themes.
struct CollectionLink: TemplateValues {
    let name, url: String
}

/// Creates the product values that several pages share.
struct ProductValues {
    let visit: Visit

    /// Creates the values of a product's card in a list.
    ///
    /// - Parameters:
    ///   - isEager: whether the browser loads the picture before the visitor scrolls to it.
    ///   - chosen: option values in lowercase; the picture shows one of them if possible.
    func card(_ product: Product, isEager: Bool = false, showing chosen: Set<String> = []) -> ProductCard {
        ProductCard(
            url: PagePath.product(product.handle), name: product.name, price: price(product), isEager: isEager,
            image: product.image(showing: chosen).flatMap { image($0) }, compareAtPrice: compareAtPrice(product),
            badge: badge(product), note: note(product))
    }

    func image(_ image: ProductImage) -> PictureValues? {
        Self.address(image).map { PictureValues(url: $0, alt: image.alt) }
    }

    /// The address of a picture; nil for an address that browsers would execute, such as `javascript:`, and for one
    /// without TLS, which the pages' content security policy blocks.
    static func address(_ image: ProductImage) -> String? {
        let url = image.url.lowercased()
        return ["/", "https://"].contains(where: url.hasPrefix) ? image.url : nil
    }

    /// The price, or “from” the lowest price if the variants have different prices.
    func price(_ product: Product) -> String {
        let price = visit.language.price(product.price)
        let isRange = product.variants.contains { $0.price != product.price }
        return isRange ? visit.text("price-from", price) : price
    }

    func compareAtPrice(_ product: Product) -> String? {
        guard let before = product.compareAtPrice, before.amount > product.price.amount else { return nil }
        return visit.language.price(before)
    }

    private func badge(_ product: Product) -> ProductCard.Badge? {
        if product.variants.allSatisfy({ $0.available <= 0 }) {
            return .init(text: visit.text("badge-sold-out"), isAccent: false)
        }
        guard compareAtPrice(product) != nil else { return nil }
        return .init(text: visit.text("badge-sale"), isAccent: true)
    }

    /// The stock as text, such as “Only 2 left”.
    func stock(_ variant: Variant) -> (text: String, isLow: Bool, isSoldOut: Bool) {
        let status = Availability(sku: variant.sku, price: variant.price, available: variant.available).status
        let text =
            switch status {
            case .low: visit.text("stock-low", visit.language.number(variant.available))
            case .soldOut: visit.text("stock-none")
            default: visit.text("stock-good")
            }
        return (text, status == .low, status == .soldOut)
    }

    /// The number of values of the first option, such as “Colour: 3 choices”. Merchants name options in the singular.
    private func note(_ product: Product) -> String? {
        guard let option = product.options.first, option.values.count > 1 else { return nil }
        return visit.text("card-choices", option.name, visit.language.number(option.values.count))
    }
}

extension PouchEntities.Category {
    /// Whether the category has a name for visitors. The category for products without one does not, until the merchant
    /// renames it, so menus omit it.
    var isNamed: Bool { (id, name) != ProductRules.uncategorised }
}

extension CatalogReading {
    /// The category with an id, if it has a name for visitors.
    func namedCategory(id: String) -> PouchEntities.Category? {
        categories(season: nil).first { $0.id == id && $0.isNamed }
    }
}

extension Product {
    /// The first picture of one of the option values, or else the first picture.
    ///
    /// - Parameter chosen: the option values, in lowercase.
    func image(showing chosen: Set<String>) -> ProductImage? {
        guard !chosen.isEmpty else { return images.first }
        return images.first { value(shownBy: $0).map { chosen.contains($0.lowercased()) } ?? false } ?? images.first
    }

    /// The option value that a picture shows: the value of all variants whose SKUs start with its file name, or the
    /// only value in its description. nil if neither determines it.
    func value(shownBy image: ProductImage) -> String? {
        let name = image.url.split(separator: "/").last?.split(separator: ".").first ?? ""
        let shown = name.isEmpty ? [] : variants.filter { $0.sku.hasPrefix(name) }
        let words = " " + FoldedText.words(in: image.alt).joined(separator: " ") + " "
        for option in options where option.values.count > 1 {
            let values = Set(shown.compactMap { $0.options[option.name] })
            if values.count == 1, let value = values.first { return value }
            let named = option.values.map { (value: $0, words: FoldedText.words(in: $0).joined(separator: " ")) }
                .filter { !$0.words.isEmpty && words.contains(" \($0.words) ") }
            // “off white” also contains “white”.
            if let longest = named.max(by: { $0.words.count < $1.words.count }),
                named.allSatisfy({ longest.words.contains($0.words) })
            {
                return longest.value
            }
        }
        return nil
    }
}
