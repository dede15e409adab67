import PouchEntities

/// Converts the rows of `products.json` to records.
struct LayersProducts: Sendable {
    private let currency: Currency
    private let defaultStock: Int
    private let images: (any LayersImages)?
    private var handles = LayersHandles()

    init(currency: Currency, defaultStock: Int, images: (any LayersImages)?) {
        self.currency = currency
        self.defaultStock = defaultStock
        self.images = images
    }

    /// The skipped parts, the records that the product refers to, and the product.
    ///
    /// - Throws: `FeedRowError` if the whole row is skipped.
    mutating func records(
        of row: LayersProductRow, line: Int, in seasons: inout LayersSeasons
    ) throws(FeedRowError) -> [FeedRecord] {
        try checkIdentity(of: row, line: line)
        let name = row.name.singleLine
        let grid = try LayersVariants(row: row, line: line, currency: currency, defaultStock: defaultStock)
        guard !grid.variants.isEmpty else { return grid.errors.map(FeedRecord.bad) }
        var pictures = LayersPictures(finder: images, line: line, alt: name)
        let gallery = pictures.gallery(grid: row.gridImage, images: row.images)
        let promoImage: FeedChange<ProductImage>? =
            switch row.promoImage {
            case nil: nil
            case "": .cleared
            case let name?: pictures.find(name, .slides, "promoImage").map(FeedChange.set)
            }
        let place = seasons.place(row)
        let product = FeedProduct(
            line: line,
            handle: handles.handle(name: name, style: row.style),
            styleCode: row.style,
            name: name,
            description: row.desc?.tidyLines,
            seasonId: place.seasonId,
            themeId: place.themeId,
            categoryName: row.category.singleLine,
            tags: row.tags.map(Self.words),
            materials: row.materials.map(Self.words),
            careInstructions: row.care?.tidyLines,
            options: grid.options,
            images: gallery,
            promoImage: promoImage,
            variants: grid.variants)
        return (grid.errors + grid.notes + pictures.errors).map(FeedRecord.bad) + place.records
            + pictures.assets.map(FeedRecord.asset) + [.product(product)]
    }

    private static func words(_ texts: [String]) -> [String] {
        texts.map(\.singleLine).filter { !$0.isEmpty }
    }

    private func checkIdentity(of row: LayersProductRow, line: Int) throws(FeedRowError) {
        for (field, text) in [("name", row.name), ("category", row.category)] where text.singleLine.isEmpty {
            throw FeedRowError(line: line, field: field, code: .required, detail: "the \(field) is empty")
        }
        // SKUs start with the style code, and the contract limits their characters; the ids of theme and season are its
        // prefixes.
        guard row.style.count >= 3, row.style.allSatisfy(\.isUnreserved) else {
            throw FeedRowError(
                line: line, field: "style", code: .invalid,
                detail: "a style code must have at least three letters, digits or any of . _ ~ -")
        }
        guard max(row.style.count, row.name.count) <= ModelLimits.textLength.upperBound else {
            throw FeedRowError(
                line: line, field: row.style.count > row.name.count ? "style" : "name", code: .tooLong,
                detail: "at most \(ModelLimits.textLength.upperBound) characters are allowed")
        }
    }
}

extension Character {
    /// Whether the character is unreserved (RFC 3986 §2.3).
    fileprivate var isUnreserved: Bool {
        isASCII && (isLetter || isNumber || "._~-".contains(self))
    }
}

/// Assigns handles to products: the name, followed by the style code if an earlier product of the feed has the same
/// name.
///
/// Keeps a few dozen bytes for every product of the feed.
private struct LayersHandles: Sendable {
    private var styles: [String: String] = [:]

    mutating func handle(name: String, style: String) -> String {
        var handle = name.slug.isEmpty ? style.handle : name.handle
        while let owner = styles[handle], owner != style {
            handle += "-" + style.slug
        }
        styles[handle] = style
        return handle
    }
}
