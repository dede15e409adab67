#if Persistence
    import Foundation
    import PouchData
    import PouchEntities
    import PouchWire

    /// A product in the form in which it is stored.
    struct ProductRow: Sendable {
        let product: Product
        let json: Data
        let name: String
        let other: String

        init(_ product: Product) throws {
            self.product = product
            json = try WireJSON.encode(product)
            name = FoldedText(product.name).text
            other = FoldedText(product.searchTexts).text
        }

        static func rows(_ products: [Product]) throws(StoreError) -> [ProductRow] {
            do {
                return try products.map(ProductRow.init)
            } catch {
                throw StoreError(.unavailable, log: "a product cannot be encoded: \(type(of: error))")
            }
        }
    }
#endif
