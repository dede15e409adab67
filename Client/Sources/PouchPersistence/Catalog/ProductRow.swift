#if Persistence
    import Foundation
    import PouchData
    import PouchEntities

    /// A product in the form in which it is stored.
    struct ProductRow: Sendable {
        let product: Product
        let json: Data
        let foldedName: String
        /// Words with a space between.
        let nameWords: String
        let otherWords: String

        /// The JSON is the store's own: without sorted keys and with times as numbers, it is written faster than the wire's.
        private init(_ product: Product, _ encoder: JSONEncoder) throws {
            self.product = product
            json = try encoder.encode(product)
            foldedName = product.foldedName
            nameWords = product.nameWords.joined(separator: " ")
            otherWords = product.otherWords.joined(separator: " ")
        }

        static func rows(_ products: [Product]) throws(StoreError) -> [ProductRow] {
            let encoder = JSONEncoder()
            do {
                return try products.map { try ProductRow($0, encoder) }
            } catch {
                throw StoreError(.unavailable, log: "a product cannot be encoded: \(type(of: error))")
            }
        }

        static func products(_ rows: [Data]) throws(StoreError) -> [Product] {
            let decoder = JSONDecoder()
            do {
                return try rows.map { try decoder.decode(Product.self, from: $0) }
            } catch {
                throw StoreError(.damaged, log: "a product cannot be read")
            }
        }
    }
#endif
