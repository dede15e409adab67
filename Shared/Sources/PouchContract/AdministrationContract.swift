import Foundation
import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    /// The body is a feed, which is streamed. The response comes when all of it was received; `catalogImport` reports
    /// the progress.
    public static let importCatalog = Exchange<RawBytes, CatalogImport>(
        .importCatalog, status: 202, query: ImportQuery.self, problems: [.invalidFeed])
    public static let catalogImport = Exchange<NoBody, CatalogImport>(.catalogImport)

    public static let updateVariant = Exchange<VariantPatch, ManagedVariant>(
        .updateVariant, problems: [.unknownSKU, .stockNegative])

    public static let scheduledPrices = Exchange<NoBody, Page<ScheduledPrice>>(
        .scheduledPrices, query: ScheduledPricesQuery.self)
    public static let schedulePrice = Exchange<ScheduledPriceRequest, ScheduledPrice>(
        .schedulePrice, status: 201, problems: [.unknownSKU])
    public static let deleteScheduledPrice = Exchange<NoBody, NoContent>(.deleteScheduledPrice, status: 204)

    static let administration: [any AnyExchange] = [
        importCatalog, catalogImport, updateVariant,
        scheduledPrices, schedulePrice, deleteScheduledPrice,
    ]
}

/// The body of `updateVariant`.
public struct VariantPatch: Sendable, Equatable {
    /// The variant's own price; scheduled prices stay.
    public let price: Money?
    /// Sets the number of units that can be bought. Units held for orders come on top.
    public let available: Int?
    /// Added to the units on hand; may be negative. Not together with `available`.
    public let adjust: Int?

    public init(price: Money? = nil, available: Int? = nil, adjust: Int? = nil) {
        self.price = price
        self.available = available
        self.adjust = adjust
    }
}

extension VariantPatch: JSONModel {
    public static let json = JSONObject(
        VariantPatch.init, .nonNull("price", \.price), .nonNull("available", \.available),
        .nonNull("adjust", \.adjust))
}

/// The body of `schedulePrice`.
public struct ScheduledPriceRequest: Sendable, Equatable {
    public let sku: String
    public let price: Money
    public let startsAt: Date
    public let endsAt: Date

    public init(sku: String, price: Money, startsAt: Date, endsAt: Date) {
        self.sku = sku
        self.price = price
        self.startsAt = startsAt
        self.endsAt = endsAt
    }
}

extension ScheduledPriceRequest: JSONModel {
    public static let json = JSONObject(
        ScheduledPriceRequest.init, .field("sku", \.sku), .field("price", \.price), .field("startsAt", \.startsAt),
        .field("endsAt", \.endsAt))
}

/// The query of `importCatalog`.
public struct ImportQuery: QueryDecodable {
    public let format: FeedFormat
    /// Whether the import only counts the changes that it would make.
    public let isDryRun: Bool
    /// The name of the file at the sender's, for errors of the feed as a whole.
    public let name: String?

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        let format = try reader.word("format", FeedFormat.self, isRequired: true)
        isDryRun = try reader.flag("dryRun") ?? false
        name = try reader.text("name")
        guard let format else {
            throw QueryProblem(name: "format", detail: "Name the format: shopify-csv or layers-json.")
        }
        self.format = format
    }
}

/// The query of `scheduledPrices`.
public struct ScheduledPricesQuery: QueryDecodable {
    /// nil for all SKUs.
    public let sku: String?
    public let page: PageQuery

    public init(from reader: inout QueryReader) throws(QueryProblem) {
        sku = try reader.text("sku")
        page = try PageQuery(from: &reader)
    }
}
