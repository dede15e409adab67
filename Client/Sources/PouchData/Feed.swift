import Foundation
import PouchEntities
import PouchFeed
import PouchService

/// Facts that a feed does not state about its shop.
public struct FeedSettings: Sendable, Equatable {
    /// The only currency. A row in another one is left out and reported.
    public var currency: Currency
    /// The time zone of dates without an offset from UTC.
    public var timeZone: TimeZone
    /// The units of a variant for which the feed states none.
    public var defaultStock: Int

    public init(currency: Currency = .eur, timeZone: TimeZone = .gmt, defaultStock: Int = 0) {
        self.currency = currency
        self.timeZone = timeZone
        self.defaultStock = defaultStock
    }
}

/// The seasons and themes of a feed, which its products refer to.
public struct FeedSeasons: Sendable {
    public let seasons: [Season]
    public let themes: [Theme]
    fileprivate let conversion: LayersRecords

    fileprivate init(_ records: [FeedRecord], _ conversion: LayersRecords) {
        seasons = records.compactMap { if case .season(let season) = $0 { season } else { nil } }
        themes = records.compactMap { if case .theme(let theme) = $0 { theme } else { nil } }
        self.conversion = conversion
    }
}

/// The products of a feed, and their seasons, themes and categories.
public struct FeedProducts: Sendable, Equatable {
    /// In the order of the feed.
    public let products: [Product]
    /// Without promotions.
    public let outline: CatalogOutline

    fileprivate init(_ shown: FeedCatalog.Shown) {
        products = shown.products
        outline = CatalogOutline(seasons: shown.seasons, themes: shown.themes, categories: shown.categories)
    }
}

/// The files of a feed. A shop has either these or a server.
extension DataManager {
    /// Whether the catalogue comes from a feed, which is read as a whole and offers nothing to buy.
    public var readsFeed: Bool { feed != nil }

    /// Succeeds when the feed's web server answers. The cache is not used.
    public func feedReady() async throws(DataError) {
        let service = try source().service
        do throws(DataError) {
            _ = try await reportingContact(await service.head(LayersFile.seasons.rawValue))
        } catch {
            guard error.reason == .notFound, !LayersFile.seasons.isRequired else { throw error }
        }
    }

    /// Reads `seasons.json`, which a feed may omit.
    public func feedSeasons() async throws(DataError) -> Dated<FeedSeasons> {
        let source = try source()
        var conversion = source.conversion
        let records = try await records(.seasons, source, &conversion)
        return records.map { FeedSeasons($0.map(\.record), conversion) }
    }

    /// Reads `products.json`, with the seasons and themes that only its rows name.
    ///
    /// - Parameter now: the current time; products of seasons that are not on sale then are left out.
    public func feedProducts(
        in seasons: FeedSeasons, at now: Date
    ) async throws(DataError) -> Dated<FeedProducts> {
        var conversion = seasons.conversion
        let records = try await records(.products, try source(), &conversion)
        return records.map { records in
            var catalog = FeedCatalog(updatedAt: now)
            let named = seasons.seasons.map(FeedRecord.season) + seasons.themes.map(FeedRecord.theme)
            for record in named { _ = catalog.add(record) }
            for (row, record) in records {
                for error in catalog.add(record) {
                    reportRow(RowReport(error, list: LayersFile.products.rawValue, row: row))
                }
            }
            return FeedProducts(catalog.shown(at: now))
        }
    }

    /// Reads `slides.json`, the promotions, which a feed may omit. A promotion of a product that the catalogue does not
    /// have, or without any image, is left out and reported.
    ///
    /// - Parameter find: returns the catalogue's products by style code. A promotion holds the same product as the
    ///   catalogue.
    public func feedPromotions(
        find: (_ styleCodes: Set<String>) async throws(DataError) -> [String: Product]
    ) async throws(DataError) -> Dated<[Promotion]> {
        let source = try source()
        var conversion = source.conversion
        let records = try await records(.slides, source, &conversion)
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

    private func source() throws(DataError) -> FeedSource {
        guard let feed else { throw DataError(.notOffered, log: "there is no feed") }
        return feed
    }

    /// The records of a file, each with the position of its row, from 0. A row that cannot be read is left out and
    /// reported.
    ///
    /// - Throws: `.unreadableAnswer` where rows cannot be separated, as in a file that was cut off; `.cancelled`.
    private func records(
        _ file: LayersFile, _ source: FeedSource, _ conversion: inout LayersRecords
    ) async throws(DataError) -> Dated<[(row: Int, record: FeedRecord)]> {
        let answer: ServiceAnswer
        do throws(DataError) {
            answer = try await reportingContact(await source.service.call(file.rawValue))
        } catch {
            guard error.reason == .notFound, !file.isRequired else { throw error }
            return Dated([])
        }
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var rest = answer.data.starts(with: byteOrderMark) ? answer.data.dropFirst(3) : answer.data
        let decoder = source.decoder
        var elements = JSONArrayElements(paths: [file.path])
        var records: [(row: Int, record: FeedRecord)] = []
        var row = 0
        do throws(JSONArrayElements.Failure) {
            while !rest.isEmpty {
                for element in try elements.consume(Array(rest.prefix(64 << 10))) {
                    let found = goodRecords(of: element, file, decoder, &conversion) {
                        reportRow(RowReport($0, list: file.rawValue, row: row))
                    }
                    records += found.map { (row, $0) }
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

    private func goodRecords(
        of element: JSONArrayElements.Element, _ file: LayersFile, _ decoder: LayersRowDecoder,
        _ conversion: inout LayersRecords, report: (FeedRowError) -> Void
    ) -> [FeedRecord] {
        do throws(FeedRowError) {
            return conversion.records(of: try decoder.row(element, of: file)).filter { record in
                guard case .bad(let error) = record else { return true }
                report(error)
                return false
            }
        } catch {
            report(error)
            return []
        }
    }
}

/// A feed, and the rules to read it.
struct FeedSource: Sendable {
    let service: FeedService
    let settings: FeedSettings

    fileprivate var decoder: LayersRowDecoder { LayersRowDecoder(timeZone: settings.timeZone) }

    fileprivate var conversion: LayersRecords {
        LayersRecords(currency: settings.currency, defaultStock: settings.defaultStock)
    }
}

extension RowReport {
    fileprivate init(_ error: FeedRowError, list: String, row: Int) {
        let place = ["line \(error.line)", error.field].compactMap(\.self).joined(separator: ", ")
        self.init(list: list, row: row, reason: "\(place): \(error.code.rawValue)", requestId: nil)
    }
}
