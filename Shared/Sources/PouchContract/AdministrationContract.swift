import Foundation
import PouchEntities
import PouchJSON
import PouchWire

extension Contract {
    /// The body is a feed, which is streamed. The response follows when the whole feed was received; `catalogImport`
    /// reports the progress.
    public static let importCatalog = Exchange<RawBytes, CatalogImport>(
        "importCatalog", .post, "/v1/admin/imports", .staff(.writeCatalog), status: 202, query: ImportQuery.self,
        problems: [.invalidFeed],
        about: "Imports the feed in the body. The response follows once the feed is received; the import then "
            + "continues.")
    public static let catalogImport = Exchange<NoInput, CatalogImport>(
        "catalogImport", .get, "/v1/admin/imports/{id}", .staff(.readCatalog),
        about: "Returns the progress of an import and the rows that it skipped.")

    public static let updateVariant = Exchange<VariantPatch, ManagedVariant>(
        "updateVariant", .patch, "/v1/admin/variants/{sku}", .staff(.writeCatalog),
        problems: [.unknownSKU, .stockNegative],
        about: "Changes the price or the stock of a variant immediately.")

    public static let scheduledPrices = Exchange<ScheduledPricesQuery, Page<ScheduledPrice>>(
        "scheduledPrices", .get, "/v1/admin/scheduled-prices", .staff(.readCatalog),
        about: "Lists the scheduled prices of one SKU or all SKUs, latest first.")
    public static let schedulePrice = Exchange<ScheduledPriceRequest, ScheduledPrice>(
        "schedulePrice", .post, "/v1/admin/scheduled-prices", .staff(.writeCatalog), status: 201,
        problems: [.unknownSKU],
        about: "Sets a price for a period. Outside the period, the variant's own price applies.")
    public static let deleteScheduledPrice = Exchange<NoInput, NoContent>(
        "deleteScheduledPrice", .delete, "/v1/admin/scheduled-prices/{id}", .staff(.writeCatalog), status: 204,
        about: "Deletes a scheduled price.")

    static let administrationExchanges: [any AnyExchange] = [
        importCatalog, catalogImport, updateVariant,
        scheduledPrices, schedulePrice, deleteScheduledPrice,
    ]
}

/// The body of `updateVariant`.
public struct VariantPatch: JSONModel, Equatable {
    /// The variant's own price; scheduled prices do not change.
    public let price: Money?
    /// The new number of available units, in addition to units held for orders.
    public let available: Int?
    /// A number to add to the units on hand; may be negative. Not together with `available`.
    public let adjust: Int?

    public init(price: Money? = nil, available: Int? = nil, adjust: Int? = nil) {
        self.price = price
        self.available = available
        self.adjust = adjust
    }

    public static let json = JSONObject(
        VariantPatch.init, .nonNull("price", \.price), .nonNull("available", \.available),
        .nonNull("adjust", \.adjust))
}

/// The body of `schedulePrice`.
public struct ScheduledPriceRequest: JSONModel, Equatable {
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

    public static let json = JSONObject(
        ScheduledPriceRequest.init, .field("sku", \.sku), .field("price", \.price), .field("startsAt", \.startsAt),
        .field("endsAt", \.endsAt))
}

/// The query of `importCatalog`.
public struct ImportQuery: QueryType {
    public var format = FeedFormat.shopifyCSV
    /// Whether the import only counts the changes that it would make.
    public var isDryRun = false
    /// The name of the file at the sender, for errors of the feed as a whole.
    public var name: String?

    public init() {}

    public mutating func code(_ coder: inout QueryCoder) throws(QueryProblem) {
        try coder.word("format", required: &format, "Set format to shopify-csv or layers-json.")
        try coder.flag("dryRun", &isDryRun)
        try coder.text("name", &name)
    }
}

/// The query of `scheduledPrices`.
public struct ScheduledPricesQuery: PagedQuery {
    /// nil for all SKUs.
    public var sku: String?
    public var page = PageQuery()

    public init() {}

    public mutating func code(_ coder: inout QueryCoder) throws(QueryProblem) {
        try coder.text("sku", &sku)
        try page.code(&coder)
    }
}
