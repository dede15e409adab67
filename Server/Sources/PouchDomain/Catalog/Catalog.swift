import Foundation
import PouchEntities
import PouchJSON

/// One stored version of the catalogue, from which a `CatalogSnapshot` is built.
public struct CatalogContent: Sendable {
    /// A product on the shop's front page.
    public struct PromotedProduct: Sendable, Equatable {
        public let productId: String
        public let image: ProductImage
        /// The position in the order of display, from 0.
        public let position: Int

        public init(productId: String, image: ProductImage, position: Int) {
            self.productId = productId
            self.image = image
            self.position = position
        }
    }

    /// The time for which prices and seasons are determined.
    public let moment: Date
    /// The next time at which a scheduled price begins or ends, or a product is published or withdrawn; nil if there is
    /// none.
    public let changesAt: Date?
    /// The version, which increases with every published change; sales do not change it.
    public let version: Int64
    public let taxonomy: CatalogTaxonomy
    /// The products in the order of their ids.
    let table: ProductTable

    public init(
        moment: Date = Date(), changesAt: Date? = nil, version: Int64, currency: Currency, seasons: [Season] = [],
        themes: [Theme] = [], categoryNames: [String: String] = [:], products: [Product] = [],
        promotions: [PromotedProduct] = []
    ) {
        let taxonomy = CatalogTaxonomy(
            seasons: seasons, themes: themes, categoryNames: categoryNames, promotions: promotions)
        self.init(
            moment: moment, changesAt: changesAt, version: version, taxonomy: taxonomy,
            table: ProductTable(currency: currency, products: products))
    }

    package init(moment: Date, changesAt: Date?, version: Int64, taxonomy: CatalogTaxonomy, table: ProductTable) {
        self.moment = moment
        self.changesAt = changesAt
        self.version = version
        self.taxonomy = taxonomy
        self.table = table.sorted
    }

    /// The products in the order of their ids, which are unique, as are handles and SKUs.
    public var products: some RandomAccessCollection<Product> { table }
}

extension CatalogContent.PromotedProduct: JSONModel {
    public static let json = JSONObject(
        CatalogContent.PromotedProduct.init, .field("productId", \.productId), .field("image", \.image),
        .field("position", \.position))
}

/// The parts of a catalogue other than products; small, so they are always read as a whole.
public struct CatalogTaxonomy: Sendable, Equatable {
    public let seasons: [Season]
    public let themes: [Theme]
    /// The names by category id.
    public let categoryNames: [String: String]
    public let promotions: [CatalogContent.PromotedProduct]

    public init(
        seasons: [Season], themes: [Theme], categoryNames: [String: String],
        promotions: [CatalogContent.PromotedProduct]
    ) {
        self.seasons = seasons
        self.themes = themes
        self.categoryNames = categoryNames
        self.promotions = promotions
    }

    /// The next time after the moment at which a season begins or ends, or the products or their prices change; nil if there is none.
    func boundary(after moment: Date, changesAt: Date?) -> Date? {
        let boundaries = seasons.flatMap { [$0.startsAt, $0.endsAt] } + [changesAt]
        return boundaries.compactMap(\.self).filter { $0 > moment }.min()
    }

    /// Whether search texts stay the same with the names of the other taxonomy.
    func hasNames(of other: CatalogTaxonomy) -> Bool {
        categoryNames == other.categoryNames && seasons.map(\.id) == other.seasons.map(\.id)
            && seasons.map(\.name) == other.seasons.map(\.name) && themes == other.themes
    }
}

/// The products affected by a published change.
public enum ChangedProducts: Sendable {
    /// The product of a variant.
    case ofVariant(sku: String)
    case ofProduct(id: String)
    /// No product, but seasons, themes, categories or promotions.
    case taxonomy
    /// The products that an import wrote, and possibly seasons, themes, categories and promotions.
    case ofRevision(Int64)
}

/// The products published since a version, if the individual changes are still known.
public struct PublishedChanges: Sendable, Equatable {
    public let productIds: Set<String>
    /// Whether seasons, themes, categories or promotions may have changed.
    public let hasTaxonomy: Bool

    public init(productIds: Set<String>, hasTaxonomy: Bool) {
        self.productIds = productIds
        self.hasTaxonomy = hasTaxonomy
    }
}

public protocol CatalogRepository {
    /// The version, which increases by one with each published change.
    func version() throws -> Int64
    /// Increases the version and stores what changed, so that every process reads it again.
    func raiseVersion(changing products: ChangedProducts) throws
    /// The changes since a version; nil when the whole catalogue must be read: the changes are unknown, or affect more
    /// than `limit` products.
    func changes(after version: Int64, limit: Int) throws -> PublishedChanges?
    /// Everything that customers can see, with the prices at a time.
    func content(at: Date) throws -> CatalogContent
    func taxonomy() throws -> CatalogTaxonomy
    /// The products among the ids that are published at a time, with the prices at that time.
    func products(ids: [String], at: Date) throws -> [Product]
    /// The prices at the end of a period, for variants whose scheduled prices begin or end after its start and up to
    /// its end.
    func prices(changingAfter start: Date, until end: Date) throws -> [VariantPrice]
    /// The ids of products that are scheduled to be published or withdrawn after the start of a period and up to its
    /// end.
    func products(changingAfter start: Date, until end: Date) throws -> Set<String>
    /// The next time at which a scheduled price begins or ends, or a product is scheduled to be published or withdrawn;
    /// nil if there is none.
    func nextChange(after: Date) throws -> Date?
    /// The offers of SKUs at a time; unknown SKUs, and those of a season that has not begun, are missing.
    func offers(skus: [String], at: Date) throws -> [DescribedOffer]
    /// The units on hand that are not held, by SKU: for the given SKUs and for those that changed since a time.
    func availability(changedSince: Date, skus: [String]) throws -> [String: Int]
}

extension Season {
    /// Whether customers see the season's products in lists; those of an ended season are found only by their handles.
    enum State {
        case coming, onShow, ended
    }

    func state(at moment: Date) -> State {
        guard startsAt.map({ $0 <= moment }) ?? true else { return .coming }
        return endsAt.map { $0 <= moment } ?? false ? .ended : .onShow
    }
}

/// A file of the catalogue.
public struct StoredAsset: Sendable, Equatable {
    /// The path below `/assets/`, not percent-encoded.
    public let path: String
    public let mediaType: String
    /// The SHA-256 digest of the bytes.
    public let digest: Data
    public let bytes: Data

    public init(path: String, mediaType: String, digest: Data, bytes: Data) {
        self.path = path
        self.mediaType = mediaType
        self.digest = digest
        self.bytes = bytes
    }
}

/// The properties of a file, read without its bytes.
public struct AssetHead: Sendable, Equatable {
    public let mediaType: String
    /// The SHA-256 digest of the bytes.
    public let digest: Data
    public let byteCount: Int

    public init(mediaType: String, digest: Data, byteCount: Int) {
        self.mediaType = mediaType
        self.digest = digest
        self.byteCount = byteCount
    }
}

public protocol AssetRepository {
    func head(path: String) throws -> AssetHead?
    /// Reads only the range, which must be within the file.
    func bytes(path: String, in range: Range<Int>) throws -> Data
    /// Stores the file; replaces one with the same path.
    func put(_ asset: StoredAsset) throws
}
