import Foundation
import PouchEntities
import PouchFeed
import PouchService

/// The files of a feed, of which a shop has either these or a server.
extension DataManager {
    /// Whether the catalogue comes from a feed, so that it is read as a whole, and nothing can be bought.
    public var readsFeed: Bool { feed != nil }

    /// Whether the web server of the feed answers, past the cache; throws where it does not.
    public func feedReady() async throws(DataError) {
        let service = try source().service
        do throws(DataError) {
            _ = try await tellingContact { () throws(ServiceError) in try await service.ask(.seasons) }
        } catch {
            guard error.reason == .notFound, !LayersFile.seasons.isRequired else { throw error }
        }
    }

    /// `seasons.json`; a feed may do without.
    public func feedSeasons() async throws(DataError) -> Dated<FeedSeasons> {
        let source = try source()
        var conversion = source.conversion
        let records = try await records(.seasons, .seasons, source, &conversion)
        return Dated(FeedSeasons(records.value.map(\.record), conversion), staleness: records.staleness)
    }

    /// `products.json`, with the seasons and themes that are named there alone.
    ///
    /// - Parameter now: the time of day; what is in seasons that are not on is left out.
    public func feedProducts(
        in seasons: FeedSeasons, at now: Date
    ) async throws(DataError) -> Dated<FeedProducts> {
        var conversion = seasons.conversion
        let records = try await records(.products, .products, try source(), &conversion)
        let products = meter.time(.converting) {
            var catalog = FeedCatalog(updatedAt: now)
            let named = seasons.seasons.map(FeedRecord.season) + seasons.themes.map(FeedRecord.theme)
            for record in named { _ = catalog.add(record) }
            for (row, record) in records.value {
                for error in catalog.add(record) {
                    reportRow(RowReport(error, list: LayersFile.products.rawValue, row: row))
                }
            }
            return FeedProducts(catalog.shown(at: now))
        }
        return Dated(products, staleness: records.staleness)
    }

    /// `slides.json`: what the shop shows first; a feed may do without. A promotion of a product that the catalogue does
    /// not have, or of one without an image, is a reported row.
    ///
    /// - Parameter find: gives the products of the catalogue that have these style codes. A promotion is of the very same
    ///   product, with all that is known of it.
    public func feedPromotions(
        find: (_ styleCodes: Set<String>) async throws(DataError) -> [String: Product]
    ) async throws(DataError) -> Dated<[Promotion]> {
        let source = try source()
        var conversion = source.conversion
        let records = try await records(.slides, .slides, source, &conversion)
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
        return Dated(promotions, staleness: records.staleness)
    }

    private func source() throws(DataError) -> FeedSource {
        guard let feed else { throw DataError(.notOffered, log: "there is no feed") }
        return feed
    }

    private func records(
        _ path: FeedPath, _ file: LayersFile, _ source: FeedSource, _ conversion: inout LayersRecords
    ) async throws(DataError) -> Dated<[FeedFileReader.Placed]> {
        let answer: ServiceAnswer
        do throws(DataError) {
            answer = try await tellingContact { () throws(ServiceError) in try await source.service.call(path) }
        } catch {
            guard error.reason == .notFound, !file.isRequired else { throw error }
            return Dated([])
        }
        let reader = FeedFileReader(file: file, answer: answer, reportRow: reportRow, meter: meter)
        return Dated(
            try await reader.records(source.decoder, &conversion), staleness: answer.staleness.map(Staleness.init))
    }
}
