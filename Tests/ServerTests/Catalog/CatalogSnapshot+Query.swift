import Foundation
import PouchDomain
import PouchEntities

extension CatalogSnapshot {
    convenience init(version: Int64 = 1, products: [Product]) {
        self.init(CatalogContent(version: version, currency: .eur, products: products))
    }

    func ids(_ query: ProductQuery) throws -> [String] {
        try page(query).items.map(\.id)
    }

    /// All pages, from each to the next through the JSON that a cursor carries.
    func all(_ query: ProductQuery) throws -> [Product] {
        var items: [Product] = []
        var position: ProductPosition?
        repeat {
            let listing = try page(query, after: position)
            items += listing.items
            position = try listing.next.map { next in
                try JSONDecoder().decode(ProductPosition.self, from: JSONEncoder().encode(next))
            }
        } while position != nil
        return items
    }
}
