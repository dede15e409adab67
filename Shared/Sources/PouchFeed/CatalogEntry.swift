import Foundation
import PouchEntities

/// A stored product, without values that change over time: current stock and scheduled prices.
public struct CatalogEntry: Sendable, Equatable {
    public struct Variant: Sendable, Equatable {
        public let sku: String
        public var options: [String: String]
        public var price: Money
        public var compareAtPrice: Money?
        public var weightGrams: Int?
        /// The units of the last import, which sales do not change.
        public var importedStock: Int?
        /// The number of units that an edited export adds to the stock, negative if it removes units; nil if it changes
        /// nothing.
        public var stockChange: Int?
        /// The edited export whose quantity was imported last, or is being imported.
        public var edit: ExportEdit?

        public init(
            sku: String, options: [String: String], price: Money, compareAtPrice: Money? = nil, weightGrams: Int? = nil,
            importedStock: Int? = nil, edit: ExportEdit? = nil
        ) {
            self.sku = sku
            self.options = options
            self.price = price
            self.compareAtPrice = compareAtPrice
            self.weightGrams = weightGrams
            self.importedStock = importedStock
            self.edit = edit
        }
    }

    /// The quantity of a variant in an edited export.
    public struct ExportEdit: Sendable, Equatable {
        public let exportId: String
        public let stock: Int

        public init(exportId: String, stock: Int) {
            self.exportId = exportId
            self.stock = stock
        }
    }

    public let id: String
    public let handle: String
    /// The product's handle in feeds, as spelled there; nil if no feed has one.
    public var feedHandle: String?
    public var styleCode: String?
    public var name: String
    public var description: String?
    public var seasonId: String?
    public var themeId: String?
    public var categoryId: String
    public var tags: [String] = []
    public var materials: [String]?
    public var careInstructions: String?
    public var options: [ProductOption] = []
    public var images: [ProductImage] = []
    public var promoImage: ProductImage?
    public var updatedAt: Date
    public var variants: [Variant] = []

    /// Creates a product without variants and without optional data.
    public init(id: String, handle: String, name: String, categoryId: String, updatedAt: Date) {
        self.id = id
        self.handle = handle
        self.name = name
        self.categoryId = categoryId
        self.updatedAt = updatedAt
    }
}

extension CatalogEntry {
    /// The product that customers see.
    ///
    /// - Returns: nil without a variant, since the product would have no price.
    public func product(variants: [PouchEntities.Variant]) -> Product? {
        guard let cheapest = variants.min(by: { $0.price.amount < $1.price.amount }) else { return nil }
        return Product(
            id: id, handle: handle, styleCode: styleCode, name: name, description: description,
            seasonId: seasonId, themeId: themeId, category: categoryId, tags: tags, price: cheapest.price,
            compareAtPrice: cheapest.compareAtPrice, materials: materials, careInstructions: careInstructions,
            options: options, images: images, promoImage: promoImage, updatedAt: updatedAt, variants: variants)
    }

    /// Sets the values that the record names and keeps the others, including the order of known options and values.
    ///
    /// - Parameter feed: fitted to the product's variants.
    public mutating func merge(_ feed: FeedProduct, categoryId: String?) {
        feedHandle = feedHandle ?? feed.feedHandle
        styleCode = feed.styleCode ?? styleCode
        name = feed.name ?? name
        description = Self.merged(description, feed.description)
        seasonId = Self.merged(seasonId, feed.seasonId)
        themeId = Self.merged(themeId, feed.themeId)
        self.categoryId = categoryId ?? self.categoryId
        tags = feed.tags ?? tags
        materials = feed.materials.map { $0.isEmpty ? nil : $0 } ?? materials
        careInstructions = Self.merged(careInstructions, feed.careInstructions)
        if let images = feed.images {
            self.images = feed.isContinuation ? Self.union(self.images, images) : images
        }
        switch feed.promoImage {
        case .set(let image): promoImage = image
        case .cleared: promoImage = nil
        case nil: break
        }
        merge(feed.variants)
        options = [ProductOption](of: variants.map(\.options), inOrderOf: options + (feed.options ?? []))
    }

    private mutating func merge(_ feedVariants: [FeedVariant]) {
        for feed in feedVariants {
            let index = variants.firstIndex { $0.sku == feed.sku } ?? variants.count
            let isKnown = index < variants.count
            if !isKnown {
                variants.append(Variant(sku: feed.sku, options: feed.options, price: feed.price))
            }
            if let exported = feed.exportedStock, isKnown {
                variants[index].edit(feed, exported: exported)
            } else {
                variants[index].importedStock = feed.stock ?? variants[index].importedStock
                if let id = feed.exportId, let stock = feed.stock {
                    variants[index].edit = ExportEdit(exportId: id, stock: stock)
                }
            }
            variants[index].options = feed.options
            variants[index].price = feed.price
            variants[index].compareAtPrice = feed.compareAtPrice
            variants[index].weightGrams = feed.weightGrams ?? variants[index].weightGrams
        }
    }

    /// An empty text clears the value.
    private static func merged(_ old: String?, _ new: String?) -> String? {
        guard let new else { return old }
        return new.isEmpty ? nil : new
    }

    private static func union<Element: Equatable>(_ old: [Element], _ new: [Element]) -> [Element] {
        old + new.filter { !old.contains($0) }
    }
}

extension CatalogEntry.Variant {
    /// Adds the difference between an edited export's quantity and that of its last import, or otherwise the exported
    /// quantity. So the same file adds nothing when it is imported again.
    fileprivate mutating func edit(_ feed: FeedVariant, exported: Int) {
        let earlier = edit.flatMap { $0.exportId == feed.exportId ? $0.stock : nil } ?? exported
        guard let stock = feed.stock, stock != earlier else { return }
        stockChange = (stockChange ?? 0) + stock - earlier
        if let id = feed.exportId { edit = CatalogEntry.ExportEdit(exportId: id, stock: stock) }
    }
}
