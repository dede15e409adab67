import PouchEntities

/// Makes records of the rows of a LAYERS feed, which come file by file in the order of `LayersFile`.
///
/// Seasons and themes that only product rows name are handed over too.
public struct LayersRecords: Sendable {
    private var seasons = LayersSeasons()
    private var products: LayersProducts
    private var slides: LayersSlides

    /// - Parameters:
    ///   - currency: the shop's; a row in another one is reported.
    ///   - defaultStock: the units of a variant for which the feed names none.
    ///   - images: nil takes every image by its name, without looking for a file.
    public init(currency: Currency, defaultStock: Int = 0, images: (any LayersImages)? = nil) {
        products = LayersProducts(currency: currency, defaultStock: defaultStock, images: images)
        slides = LayersSlides(images: images)
    }

    /// What one row says, and what of it was left out.
    public mutating func records(of row: LayersRow) -> [FeedRecord] {
        do throws(FeedRowError) {
            let records =
                switch row.content {
                case .season(let content): try seasons.records(of: content, line: row.line)
                case .product(let content): try products.records(of: content, line: row.line, in: &seasons)
                case .slide(let content): try slides.records(of: content, line: row.line)
                }
            return records.map { record in
                guard case .bad(let error) = record else { return record }
                return .bad(error.in(row.file))
            }
        } catch {
            return [.bad(error.in(row.file))]
        }
    }
}
