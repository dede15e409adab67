import Foundation
import PouchEntities

/// The catalogue of a single feed, equal to the one that the server gets by importing the feed into an empty shop.
public struct FeedCatalog: Sendable {
    /// The seasons in the order of the feed.
    public private(set) var seasons: [Season] = []
    public private(set) var themes: [Theme] = []
    private var seasonIndices: [String: Int] = [:]
    private var themeIndices: [String: Int] = [:]
    private var entries: [CatalogEntry] = []
    private var indices: [String: Int] = [:]
    /// The index of each SKU's product.
    private var owners: [String: Int] = [:]
    private var categoryNames: [String: String] = [:]
    private let updatedAt: Date

    /// - Parameter updatedAt: the date of all products, since a feed has none.
    public init(updatedAt: Date) {
        self.updatedAt = updatedAt
    }

    /// Adds a record to the catalogue.
    ///
    /// - Returns: the parts that were skipped or changed, with the reasons.
    public mutating func add(_ record: FeedRecord) -> [FeedRowError] {
        switch record {
        case .season(let season): seasons.put(season, &seasonIndices)
        case .theme(let theme): themes.put(theme, &themeIndices)
        case .product(let product): return add(product)
        // The promoted product may be in another catalogue, so the caller resolves promotions.
        case .promotion, .asset: break
        case .bad(let error): return [error]
        }
        return []
    }

    private mutating func add(_ feed: FeedProduct) -> [FeedRowError] {
        let identity = feed.styleCode ?? feed.feedHandle ?? feed.handle
        let index = indices[identity] ?? entries.count
        let stored = index < entries.count ? entries[index].variants : []
        let (fitted, reports) = feed.fitted(to: stored) { owners[$0] ?? index != index }
        guard let own = fitted else { return reports }
        let category = (feed.categoryName ?? "").slug
        var entry =
            indices[identity] == nil
            ? CatalogEntry(
                id: identity, handle: feed.handle, name: feed.handle, categoryId: category, updatedAt: updatedAt)
            : entries[index]
        entry.merge(own, categoryId: feed.categoryName?.slug)
        if !entry.variants.isEmpty {
            if index == entries.count { entries.append(entry) } else { entries[index] = entry }
            indices[identity] = index
            for variant in own.variants { owners[variant.sku] = index }
            if let name = feed.categoryName { categoryNames[category] = name }
        }
        return reports
    }

    /// The catalogue that customers see at a time: without past and future seasons and their contents.
    public func shown(at moment: Date) -> Shown {
        let hidden = Set(seasons.filter { !$0.isOn(at: moment) }.map(\.id))
        let products = entries.filter { !hidden.contains($0.seasonId ?? "") }.compactMap(\.product)
        let counts = Dictionary(products.map { ($0.category, 1) }, uniquingKeysWith: +)
        return Shown(
            seasons: seasons.filter { !hidden.contains($0.id) }.sorted { $0.id < $1.id },
            themes: themes.filter { !hidden.contains($0.seasonId) }.sorted { $0.id < $1.id },
            categories: counts.map { Category(id: $0, name: categoryNames[$0] ?? $0, productCount: $1) }
                .sorted { $0.id < $1.id },
            products: products)
    }

    /// The part of a catalogue that customers see.
    public struct Shown: Sendable, Equatable {
        /// The seasons. This list and the next two are in the order of their ids.
        public let seasons: [Season]
        public let themes: [Theme]
        public let categories: [Category]
        /// The products in the order of the feed, with the stock from the feed.
        public let products: [Product]
    }
}

extension CatalogEntry {
    fileprivate var product: Product? {
        product(
            variants: variants.map {
                PouchEntities.Variant(
                    sku: $0.sku, options: $0.options, price: $0.price, compareAtPrice: $0.compareAtPrice,
                    available: $0.importedStock ?? 0, weightGrams: $0.weightGrams)
            })
    }
}

extension Array where Element: Identifiable {
    /// Replaces the element with the same id, or appends the element.
    fileprivate mutating func put(_ element: Element, _ indices: inout [Element.ID: Int]) {
        if let index = indices[element.id] {
            self[index] = element
        } else {
            indices[element.id] = count
            append(element)
        }
    }
}
