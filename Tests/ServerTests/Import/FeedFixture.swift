import ServerTesting
@testable import PouchImport

/// Creates feeds in temporary folders, which are deleted after use, and reads them.
enum FeedFixture {
    static func folder<Result>(_ files: [String: String], _ use: (URL) throws -> Result) throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "feed-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (path, text) in files {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        return try use(folder)
    }

    static func shopify(_ csv: String, currency: Currency = .eur, chunkSize: Int = 1 << 16) throws -> [FeedRecord] {
        try shopify(Data(csv.utf8), currency: currency, chunkSize: chunkSize)
    }

    static func shopify(_ csv: Data, currency: Currency = .eur, chunkSize: Int = 1 << 16) throws -> [FeedRecord] {
        try folder([:]) { folder in
            let file = folder.appending(path: "products.csv")
            try csv.write(to: file)
            return try all(ShopifyReader(file: file, currency: currency, chunkSize: chunkSize))
        }
    }

    /// Reads `{"products": [...]}` with one element a line. The first is on line 2.
    static func layers(
        products: [String], files: [String: String] = [:], defaultStock: Int = 0, currency: Currency = .eur,
        timeZone: TimeZone = .gmt
    ) throws -> [FeedRecord] {
        let json = "{\"products\": [\n" + products.joined(separator: ",\n") + "\n]}"
        return try folder(files.merging(["products.json": json]) { own, _ in own }) { folder in
            try all(LayersReader(folder: folder, currency: currency, timeZone: timeZone, defaultStock: defaultStock))
        }
    }

    static func all(_ reader: any FeedReader) throws -> [FeedRecord] {
        var reader = reader
        var records: [FeedRecord] = []
        while let record = try reader.next() { records.append(record) }
        return records
    }

    /// Sample files of Shopify in a folder next to the checkout, which not every machine has.
    static let realFiles = URL.repository.deletingLastPathComponent().appending(path: "shared/data")
    static var hasRealFiles: Bool { FileManager.default.fileExists(atPath: realFiles.path) }
}

extension [FeedRecord] {
    var products: [FeedProduct] { compactMap { if case .product(let product) = $0 { product } else { nil } } }
    var variants: [FeedVariant] { products.flatMap(\.variants) }
    var assets: [FeedAsset] { compactMap { if case .asset(let asset) = $0 { asset } else { nil } } }
    var promotions: [FeedPromotion] { compactMap { if case .promotion(let shown) = $0 { shown } else { nil } } }
    var seasons: [Season] { compactMap { if case .season(let season) = $0 { season } else { nil } } }
    var themes: [Theme] { compactMap { if case .theme(let theme) = $0 { theme } else { nil } } }

    private var rowReports: [FeedRowError] { compactMap { if case .bad(let report) = $0 { report } else { nil } } }
    var errors: [FeedRowError] { rowReports.filter { !$0.isNote } }
    /// Line, field and code of each reported row, as in `3 Variant Price required`.
    var reports: [String] { errors.map(\.summary) }
    /// Line, field and code of each note, as in `3 Variant Inventory Qty changed`.
    var notes: [String] { rowReports.filter(\.isNote).map(\.summary) }
}

extension FeedRowError {
    fileprivate var summary: String { "\(line) \(field ?? "-") \(code.rawValue)" }
}
