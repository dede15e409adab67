#if Persistence
    import Foundation
    import GRDB
    import PouchData
    import PouchEntities
    import PouchWire

    /// A promotion without its product, which stands in the catalogue once.
    struct StoredPromotion: Codable, Sendable {
        let handle: String
        let image: ProductImage
        let position: Int
    }

    /// An outline in the form in which it is stored; nil stays as it is.
    struct StoredOutline: Sendable {
        let promoted: [ProductRow]
        private let columns: [(name: String, json: Data)]

        init(_ outline: CatalogOutline) throws(StoreError) {
            let promotions = outline.promotions ?? []
            promoted = try ProductRow.rows(promotions.map(\.product))
            let stored = outline.promotions?.map {
                StoredPromotion(handle: $0.product.handle, image: $0.image, position: $0.position)
            }
            do {
                columns = [
                    ("seasons", try outline.seasons.map(WireJSON.encode)),
                    ("themes", try outline.themes.map(WireJSON.encode)),
                    ("categories", try outline.categories.map(WireJSON.encode)),
                    ("promotions", try stored.map(WireJSON.encode)),
                ]
                .compactMap { name, json in json.map { (name, $0) } }
            } catch {
                throw StoreError(.unavailable, log: "an outline cannot be encoded: \(type(of: error))")
            }
        }

        func save(in database: Database) throws {
            for column in columns {
                try database.execute(sql: "UPDATE catalog SET \(column.name) = ?", arguments: [column.json])
            }
        }
    }
#endif
