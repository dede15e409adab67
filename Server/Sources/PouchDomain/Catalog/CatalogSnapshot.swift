import Foundation
import PouchEntities

/// One version of the catalogue in memory, with the stock of one moment; answers every catalogue read.
public final class CatalogSnapshot: Sendable {
    private let index: CatalogIndex
    /// By variant.
    private let available: [Int]
    /// Products of seasons that have ended, which are in no list; nil if there are none.
    private let past: CatalogSnapshot?
    /// The time at which the catalogue changes by itself; nil if it does not.
    public let validUntil: Date?

    /// Builds all indexes, which takes long for a large catalogue: not for an event loop.
    public convenience init(_ content: CatalogContent) {
        let past = content.past
        self.init(
            CatalogIndex(content.onShow, isSearchable: true),
            past: past.products.isEmpty ? nil : CatalogSnapshot(CatalogIndex(past, isSearchable: false)),
            validUntil: content.validUntil)
    }

    private init(
        _ index: CatalogIndex, available: [Int]? = nil, past: CatalogSnapshot? = nil, validUntil: Date? = nil
    ) {
        self.index = index
        self.available = available ?? index.loadedAvailability
        self.past = past
        self.validUntil = validUntil
    }

    public var version: Int64 { index.content.version }

    public var currency: Currency { index.content.currency }

    /// The same catalogue with other available units by SKU, sharing all indexes; unknown SKUs are ignored. Returns
    /// this snapshot when no number differs.
    public func withAvailability(_ changes: [String: Int]) -> CatalogSnapshot {
        var changed = available
        for (sku, figure) in changes {
            if let place = index.variantsBySKU[sku] { changed[place.variant] = figure }
        }
        let past = past?.withAvailability(changes)
        guard changed != available || past !== self.past else { return self }
        return CatalogSnapshot(index, available: changed, past: past, validUntil: validUntil)
    }

    // MARK: Single products

    public func product(handle: String) -> Product? {
        index.numbersByHandle[handle].map(product(at:)) ?? past?.product(handle: handle)
    }

    /// A variant and its product; nil for an unknown SKU.
    public func variant(sku: String) -> (product: Product, variant: Variant)? {
        guard let place = index.variantsBySKU[sku] else { return past?.variant(sku: sku) }
        let product = product(at: place.product)
        return (product, product.variants[place.variant - index.variants(of: place.product).lowerBound])
    }

    public func availability(sku: String) -> Availability {
        guard let variant = variant(sku: sku)?.variant else { return Availability(unknown: sku) }
        return Availability(sku: sku, price: variant.price, available: variant.available)
    }

    // MARK: Lists

    /// In the order of their ids.
    public var seasons: [Season] { index.content.seasons.sorted { $0.id < $1.id } }

    /// In the order of their ids.
    public func themes(season: String? = nil) -> [Theme] {
        index.content.themes.filter { season == nil || $0.seasonId == season }.sorted { $0.id < $1.id }
    }

    /// The categories that have a product, in the order of their ids.
    public func categories(season: String? = nil) -> [PouchEntities.Category] {
        guard let filter = ProductFilter(ProductQuery(season: season), index, matches: nil) else { return [] }
        let counts = FacetCounter(index, filter, available: available).counts
        return zip(index.attributes.attributes, counts)
            .filter { $0.dimension == AttributeTable.category && $1 > 0 }
            .map { category, count in
                PouchEntities.Category(
                    id: category.value,
                    name: index.content.categoryNames[category.value] ?? category.value,
                    productCount: count)
            }
            .sorted { $0.id < $1.id }
    }

    /// In the order of their positions, without deleted products.
    public var promotions: [Promotion] {
        index.content.promotions.sorted { ($0.position, $0.productId) < ($1.position, $1.productId) }
            .compactMap { promoted in
                index.numbersById[promoted.productId].map {
                    Promotion(product: product(at: $0), image: promoted.image, position: promoted.position)
                }
            }
    }

    /// The products that match the query, after a position, at most `limit` (1...200, default 50).
    ///
    /// A product matches by price when its own price, that of its cheapest variant, is in the range. Option names and
    /// values compare without case; one variant must have all options, and be in stock if `inStock` is true. If it is
    /// false, no variant with all options may be in stock. The query's prices are in the shop's currency, and its `cursor`
    /// is ignored.
    public func page(
        _ query: ProductQuery, after position: ProductPosition? = nil
    ) throws(CatalogQueryError) -> ProductListing {
        let sort = query.effectiveSort
        let fingerprint = query.filterFingerprint
        if let position {
            guard position.sort == sort, position.filters == fingerprint else { throw .positionMismatch }
            guard sort != .relevance || position.version == version else { throw .positionExpired }
        }
        let matches = query.search.map(index.search.matches)
        guard let filter = ProductFilter(query, index, matches: matches) else {
            return ProductListing(items: [], next: nil, facets: query.facets ? [] : nil)
        }
        let order = sort == .relevance ? Self.bestFirst(matches ?? []) : index.order(sort)
        func key(_ product: Int) -> SortKey {
            index.key(product, sort: sort, score: filter.scores?[product] ?? 0)
        }
        let start = position.map { position in
            order.partitioningIndex { position.key.precedes(key($0), in: sort) }
        }

        let limit = min(max(query.limit ?? 50, 1), 200)
        var page: [Int] = []
        for product in order[(start ?? 0)...] where filter.matches(product, index, available: available) {
            page.append(product)
            if page.count > limit { break }
        }
        var next: ProductPosition?
        if page.count > limit {
            page.removeLast()
            next = page.last.map {
                ProductPosition(
                    sort: sort, key: key($0), filters: fingerprint, version: sort == .relevance ? version : nil)
            }
        }
        return ProductListing(
            items: page.map(product(at:)),
            next: next,
            facets: query.facets ? FacetCounter(index, filter, available: available).facets : nil)
    }

    private func product(at number: Int) -> Product {
        index.content.products[number].withAvailability(available[index.variants(of: number)])
    }

    /// Products are numbered by id, which settles ties.
    private static func bestFirst(_ matches: [SearchMatch]) -> [Int] {
        matches.sorted { ($1.score, $0.document) < ($0.score, $1.document) }.map(\.document)
    }
}

extension Product {
    /// The same product with other available units, one number for each variant.
    func withAvailability(_ available: ArraySlice<Int>) -> Product {
        guard !zip(variants, available).allSatisfy({ $0.available == $1 }) else { return self }
        return Product(
            id: id, handle: handle, styleCode: styleCode, name: name, description: description, seasonId: seasonId,
            themeId: themeId, category: category, tags: tags, price: price, compareAtPrice: compareAtPrice,
            materials: materials, careInstructions: careInstructions, options: options, images: images,
            promoImage: promoImage, updatedAt: updatedAt,
            variants: zip(variants, available).map { variant, available in
                Variant(
                    sku: variant.sku, options: variant.options, price: variant.price,
                    compareAtPrice: variant.compareAtPrice, available: available, weightGrams: variant.weightGrams)
            })
    }
}
