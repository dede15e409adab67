import ServerTesting
@testable import PouchImport

extension FeedProduct {
    /// A product of one variant, with defaults for everything that a test does not name.
    static func stocked(
        _ handle: String, sku: String? = nil, name: String? = nil, price: Int64 = 1000, stock: Int? = 10, line: Int = 1,
        category: String = "Things", season: String? = nil, tags: [String]? = nil
    ) -> FeedProduct {
        FeedProduct(
            line: line, handle: handle, name: name ?? handle.capitalized, seasonId: season, categoryName: category,
            tags: tags, variants: [.stocked(sku ?? handle, price: price, stock: stock)])
    }

    /// A product with a variant for each size. The SKU joins handle and size.
    static func sized(_ handle: String, price: Int64 = 2500, stock: [(size: String, units: Int)]) -> FeedProduct {
        FeedProduct(
            line: 1, handle: handle, name: handle.capitalized, categoryName: "Scarves", tags: ["wool"],
            options: [ProductOption(name: "Size", values: stock.map(\.size))],
            variants: stock.map { size, units in
                .stocked("\(handle)-\(size.lowercased())", price: price, stock: units, options: ["Size": size])
            })
    }
}

extension FeedVariant {
    static func stocked(
        _ sku: String, price: Int64 = 1000, stock: Int? = 10, options: [String: String] = [:]
    ) -> FeedVariant { FeedVariant(sku: sku, options: options, price: Money(price, .eur), stock: stock) }
}

extension [FeedProduct] {
    /// The default stock of a test shop.
    static var usual: [FeedProduct] {
        [
            .stocked("cap", price: 1000, stock: 10, category: "Hats"),
            .sized("scarf", price: 2500, stock: [("S", 5), ("M", 2)]),
            .stocked("gloves", price: 1500, stock: 0),
        ]
    }
}

/// A feed of given records.
struct ListedFeed: FeedReader {
    private var records: ArraySlice<FeedRecord>
    private var rows = 0
    private let failure: FeedError?

    /// - Parameter failure: thrown after the last record.
    init(_ records: [FeedRecord], failure: FeedError? = nil) {
        self.records = records[...]
        self.failure = failure
    }

    init(_ products: [FeedProduct]) {
        self.init(products.map(FeedRecord.product))
    }

    var progress: FeedProgress { FeedProgress(bytesRead: rows, totalBytes: rows + records.count, rows: rows) }

    mutating func next() throws(FeedError) -> FeedRecord? {
        guard let record = records.popFirst() else {
            if let failure { throw failure }
            return nil
        }
        rows += 1
        return record
    }
}
