import Foundation
import PouchEntities

/// One stored version of the catalogue, from which a `CatalogSnapshot` is built.
public struct CatalogContent: Sendable {
    /// A product on the shop's front page.
    public struct PromotedProduct: Codable, Sendable, Equatable {
        public let productId: String
        public let image: ProductImage
        /// From 0, in the order of display.
        public let position: Int

        public init(productId: String, image: ProductImage, position: Int) {
            self.productId = productId
            self.image = image
            self.position = position
        }
    }

    /// The time that prices and seasons are taken at.
    public let moment: Date
    /// The next time at which a scheduled price begins or ends; nil if there is none.
    public let pricesChangeAt: Date?
    /// Rises with every published change; sales do not change it.
    public let version: Int64
    /// The shop's currency; all prices are in it.
    public let currency: Currency
    public let seasons: [Season]
    public let themes: [Theme]
    /// By category id.
    public let categoryNames: [String: String]
    /// In any order; ids, handles and SKUs are unique.
    public internal(set) var products: [Product]
    public let promotions: [PromotedProduct]

    public init(
        moment: Date = Date(), pricesChangeAt: Date? = nil, version: Int64, currency: Currency, seasons: [Season] = [],
        themes: [Theme] = [], categoryNames: [String: String] = [:], products: [Product] = [],
        promotions: [PromotedProduct] = []
    ) {
        self.moment = moment
        self.pricesChangeAt = pricesChangeAt
        self.version = version
        self.currency = currency
        self.seasons = seasons
        self.themes = themes
        self.categoryNames = categoryNames
        self.products = products
        self.promotions = promotions
    }
}

public protocol CatalogRepository {
    /// Rises by one with each published change.
    func version() throws -> Int64
    /// Raises the version, so that every process reads the catalogue again.
    func raiseVersion() throws
    /// All that customers can see, at the prices of a time.
    func content(at: Date) throws -> CatalogContent
    /// The offers of SKUs at a time; unknown SKUs are missing, and those of a season that has not begun.
    func offers(skus: [String], at: Date) throws -> [DescribedOffer]
    /// Units on hand that are not held, by SKU: of the given SKUs and of those that changed since a time.
    func availability(changedSince: Date, skus: [String]) throws -> [String: Int]
}

extension CatalogContent {
    /// The next time at which a season or a scheduled price begins or ends; nil if there is none.
    var validUntil: Date? {
        let boundaries = seasons.flatMap { [$0.startsAt, $0.endsAt] } + [pricesChangeAt]
        return boundaries.compactMap(\.self).filter { $0 > moment }.min()
    }

    /// The current content: without products of seasons that have ended or not begun.
    var onShow: CatalogContent {
        limited(to: seasons.filter { $0.hasBegun(at: moment) && !$0.hasEnded(at: moment) })
    }

    /// The products of seasons that have ended, which can still be found by their handles.
    var past: CatalogContent {
        let ended = Set(seasons.filter { $0.hasBegun(at: moment) && $0.hasEnded(at: moment) }.map(\.id))
        var content = limited(to: [])
        content.products = products.filter { $0.seasonId.map(ended.contains) ?? false }
        return content
    }

    private func limited(to shown: [Season]) -> CatalogContent {
        let hidden = Set(seasons.map(\.id)).subtracting(shown.map(\.id))
        return CatalogContent(
            moment: moment, pricesChangeAt: pricesChangeAt, version: version, currency: currency, seasons: shown,
            themes: themes.filter { !hidden.contains($0.seasonId) }, categoryNames: categoryNames,
            products: products.filter { $0.seasonId.map { !hidden.contains($0) } ?? true }, promotions: promotions)
    }
}

extension Season {
    fileprivate func hasBegun(at moment: Date) -> Bool { startsAt.map { $0 <= moment } ?? true }
    fileprivate func hasEnded(at moment: Date) -> Bool { endsAt.map { $0 <= moment } ?? false }
}

extension Identifier.Kind {
    public static let product = Self("prd_")
}
