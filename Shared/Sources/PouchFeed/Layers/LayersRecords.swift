import Foundation
import PouchEntities

/// Converts the rows of a LAYERS feed, in the order of `LayersFile`, to records.
///
/// Seasons and themes that only product rows name also become records.
///
///     var records = LayersRecords(currency: .eur)
///     for record in records.records(of: element, in: .products) { errors += catalog.add(record) }
public struct LayersRecords: Sendable {
    private var seasons: LayersSeasons
    private var products: LayersProducts
    private var slides: LayersSlides

    /// - Parameters:
    ///   - currency: the shop's currency; a row in another currency is skipped.
    ///   - timeZone: the time zone of dates without an offset.
    ///   - defaultStock: the stock of variants for which the feed has no quantity.
    ///   - images: finds the files of images; nil accepts every name without looking for a file.
    public init(currency: Currency, timeZone: TimeZone, defaultStock: Int = 0, images: (any LayersImages)? = nil) {
        seasons = LayersSeasons(timeZone: timeZone)
        products = LayersProducts(currency: currency, defaultStock: defaultStock, images: images)
        slides = LayersSlides(images: images)
    }

    /// Converts one row of a file to records, including the skipped parts.
    public mutating func records(of element: JSONArrayElements.Element, in file: LayersFile) -> [FeedRecord] {
        do throws(FeedRowError) {
            let records =
                switch file {
                case .seasons: try seasons.records(of: try element.row(), line: element.line)
                case .products: try products.records(of: try element.row(), line: element.line, in: &seasons)
                case .slides: try slides.records(of: try element.row(), line: element.line)
                }
            return records.map { record in
                guard case .bad(let error) = record else { return record }
                return .bad(error.in(file))
            }
        } catch {
            return [.bad(error.in(file))]
        }
    }
}

/// Converts the rows of `seasons.json`, and keeps track of the seasons and themes named so far.
struct LayersSeasons: Sendable {
    let timeZone: TimeZone
    private var seasons: Set<String> = []
    private var themes: Set<String> = []

    init(timeZone: TimeZone) {
        self.timeZone = timeZone
    }

    mutating func records(of row: LayersSeasonRow, line: Int) throws(FeedRowError) -> [FeedRecord] {
        guard !row.id.isEmpty, row.themes?.allSatisfy({ !$0.id.isEmpty }) ?? true else {
            throw FeedRowError(line: line, field: "id", code: .required, detail: "the id is empty")
        }
        let season = Season(
            id: row.id, name: row.name.singleLine, startsAt: try date(row.startsAt, "startsAt", line: line),
            endsAt: try date(row.endsAt, "endsAt", line: line))
        seasons.insert(row.id)
        let named = (row.themes ?? []).map { Theme(id: $0.id, name: $0.name.singleLine, seasonId: row.id) }
        themes.formUnion(named.map(\.id))
        return [.season(season)] + named.map(FeedRecord.theme)
    }

    private func date(_ date: LayersDate?, _ field: String, line: Int) throws(FeedRowError) -> Date? {
        guard let date else { return nil }
        guard let found = date.date(in: timeZone) else {
            throw FeedRowError(line: line, field: field, code: .invalid, detail: "the value is not a date")
        }
        return found
    }

    /// The season and theme of a product: the season's id is the first two characters of its style code, the theme's id
    /// the first three.
    ///
    /// - Returns: nil for an id that the feed has not named, and records for the season and theme that this row is the
    ///   first to name.
    mutating func place(_ row: LayersProductRow) -> (seasonId: String?, themeId: String?, records: [FeedRecord]) {
        let (seasonId, themeId) = (String(row.style.prefix(2)), String(row.style.prefix(3)))
        var records: [FeedRecord] = []
        if let name = row.season?.singleLine, !name.isEmpty, seasons.insert(seasonId).inserted {
            records.append(.season(Season(id: seasonId, name: name)))
        }
        let hasSeason = seasons.contains(seasonId)
        if hasSeason, let name = row.theme?.singleLine, !name.isEmpty, themes.insert(themeId).inserted {
            records.append(.theme(Theme(id: themeId, name: name, seasonId: seasonId)))
        }
        return (hasSeason ? seasonId : nil, themes.contains(themeId) ? themeId : nil, records)
    }
}

/// Converts the rows of `slides.json` to promotions.
struct LayersSlides: Sendable {
    let images: (any LayersImages)?
    private(set) var position = 0

    mutating func records(of row: LayersSlideRow, line: Int) throws(FeedRowError) -> [FeedRecord] {
        guard !row.style.isEmpty else {
            throw FeedRowError(line: line, field: "style", code: .required, detail: "the style code is empty")
        }
        var pictures = LayersPictures(finder: images, line: line, alt: row.name?.singleLine ?? "")
        let named = [("promoImage", row.promoImage), ("gridImage", row.gridImage), ("images", row.images?.first)]
        let image = named.lazy.compactMap { field, name in
            name.flatMap { $0.isEmpty ? nil : (field: field, name: $0) }
        }.first.flatMap { pictures.find($0.name, .slides, $0.field) }
        defer { position += 1 }
        return pictures.errors.map(FeedRecord.bad) + pictures.assets.map(FeedRecord.asset)
            + [.promotion(FeedPromotion(line: line, styleCode: row.style, image: image, position: position))]
    }
}
