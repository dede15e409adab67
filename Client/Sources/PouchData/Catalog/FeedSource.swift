import Foundation
import PouchEntities
import PouchFeed
import PouchService

/// Facts that a feed does not state about its shop.
public struct FeedSettings: Sendable, Equatable {
    /// The only currency. A row in another one is skipped and reported.
    public var currency: Currency
    /// The time zone of dates without an offset from UTC.
    public var timeZone: TimeZone
    /// The units of a variant without a quantity in the feed.
    public var defaultStock: Int

    public init(currency: Currency = .eur, timeZone: TimeZone = .gmt, defaultStock: Int = 0) {
        self.currency = currency
        self.timeZone = timeZone
        self.defaultStock = defaultStock
    }
}

/// The catalogue of a LAYERS feed on any web server or in a folder. It is read completely.
public struct FeedSource: CatalogSource {
    private let service: FeedService
    private let settings: FeedSettings
    private let reportRow: @Sendable (RowReport) -> Void
    private let contact = ContactReporter()

    /// - Parameter reportRow: called for each row of a file that cannot be read and is skipped.
    public init(
        _ service: FeedService, settings: FeedSettings = FeedSettings(),
        reportRow: @escaping @Sendable (RowReport) -> Void = { _ in }
    ) {
        self.service = service
        self.settings = settings
        self.reportRow = reportRow
    }

    public var answersQueries: Bool { false }

    public func onContact(_ handler: @escaping @Sendable (_ answered: Bool) -> Void) { contact.onContact(handler) }

    /// Succeeds when the feed can be read, or its web server answers.
    public func ready() async throws(DataError) {
        do throws(DataError) {
            _ = try await contact.reporting(await service.head(LayersFile.seasons.rawValue))
        } catch {
            guard error.reason == .notFound, !LayersFile.seasons.isRequired else { throw error }
        }
    }

    /// Reads `seasons.json`, which a feed may omit, and `products.json`, with the seasons and themes that only its rows
    /// name. Products of seasons that are not on sale are omitted.
    public func readAll(
        at now: Date, newerThan known: Date?, _ receive: ProductReceiver
    ) async throws(DataError) -> Dated<CatalogTaxonomy?> {
        var conversion = conversion
        let seasons = try await records(.seasons, &conversion)
        let products = try await records(.products, &conversion)
        var catalog = FeedCatalog(updatedAt: now)
        for (_, record) in seasons.value where record.isSeasonOrTheme { _ = catalog.add(record) }
        for (row, record) in products.value {
            for error in catalog.add(record) where !error.isNote {
                reportRow(RowReport(error, list: LayersFile.products.rawValue, row: row))
            }
        }
        // Both files are of one version of the feed, so a stale one makes the catalogue stale.
        let (asOf, failure) =
            seasons.failure == nil ? (products.asOf, products.failure) : (seasons.asOf, seasons.failure)
        if failure != nil, let known, known >= asOf ?? .distantPast {
            return Dated(nil, asOf: asOf, failure: failure)
        }
        let shown = catalog.shown(at: now)
        try await receive(shown.products, shown.products.count)
        let taxonomy = CatalogTaxonomy(seasons: shown.seasons, themes: shown.themes, categories: shown.categories)
        return Dated(taxonomy, asOf: asOf, failure: failure)
    }

    /// Reads `slides.json`, the promotions, which a feed may omit. A promotion of a product that the catalogue does not
    /// have, or without any image, is skipped and reported. A promotion contains the same product as the catalogue.
    public func promotions(find: @escaping ProductFinder) async throws(DataError) -> Dated<[Promotion]> {
        var conversion = conversion
        let records = try await records(.slides, &conversion)
        let named = records.value.compactMap { row, record -> (row: Int, promotion: FeedPromotion)? in
            if case .promotion(let promotion) = record { (row, promotion) } else { nil }
        }
        let products = try await find(Set(named.map(\.promotion.styleCode)))
        var promotions: [Promotion] = []
        for (row, named) in named {
            guard let product = products[named.styleCode],
                let image = named.image ?? product.promoImage ?? product.images.first
            else {
                let error = FeedRowError(line: named.line, field: "style", code: .invalid, detail: "")
                reportRow(RowReport(error, list: LayersFile.slides.rawValue, row: row))
                continue
            }
            promotions.append(Promotion(product: product, image: image, position: promotions.count))
        }
        return records.map { _ in promotions }
    }

    private var conversion: LayersRecords {
        LayersRecords(
            currency: settings.currency, timeZone: settings.timeZone, defaultStock: settings.defaultStock)
    }

    /// The records of a file, each with the position of its row, from 0. A row that cannot be read is skipped and
    /// reported.
    ///
    /// - Throws: `.unreadableAnswer` if rows cannot be separated, for example in a truncated file; `.cancelled`.
    private func records(
        _ file: LayersFile, _ conversion: inout LayersRecords
    ) async throws(DataError) -> Dated<[(row: Int, record: FeedRecord)]> {
        let answer: ServiceAnswer
        do throws(DataError) {
            answer = try await contact.reporting(await service.call(file.rawValue))
        } catch {
            guard error.reason == .notFound, !file.isRequired else { throw error }
            return Dated([])
        }
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var rest = answer.data.starts(with: byteOrderMark) ? answer.data.dropFirst(3) : answer.data
        var elements = JSONArrayElements(paths: [file.path])
        var records: [(row: Int, record: FeedRecord)] = []
        var row = 0
        do throws(JSONArrayElements.Failure) {
            while !rest.isEmpty {
                for element in try elements.consume(Array(rest.prefix(64 << 10))) {
                    for record in conversion.records(of: element, in: file) {
                        if case .bad(let error) = record {
                            guard !error.isNote else { continue }
                            reportRow(RowReport(error, list: file.rawValue, row: row))
                        } else {
                            records.append((row, record))
                        }
                    }
                    row += 1
                }
                rest = rest.dropFirst(64 << 10)
                // A large feed must not occupy a thread of the pool.
                await Task.yield()
            }
            try elements.finish()
        } catch {
            throw DataError(
                .unreadableAnswer, log: "\(file.rawValue), line \(error.line): \(error.detail)")
        }
        guard !Task.isCancelled else { throw DataError(.cancelled) }
        return Dated(records, from: answer)
    }
}

extension FeedRecord {
    fileprivate var isSeasonOrTheme: Bool {
        switch self {
        case .season, .theme: true
        default: false
        }
    }
}

extension RowReport {
    fileprivate init(_ error: FeedRowError, list: String, row: Int) {
        let place = ["line \(error.line)", error.field].compactMap(\.self).joined(separator: ", ")
        self.init(list: list, row: row, reason: "\(place): \(error.code.rawValue)", requestId: nil)
    }
}
