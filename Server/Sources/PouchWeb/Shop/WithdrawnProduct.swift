import HTTPTypes
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchWire

extension Site {
    private static let mostInstead = 8

    /// The page of a product that is no longer on sale: what to look at instead.
    ///
    /// - Throws: `Redirect` to the product that had the handle; `RequestProblem` for a product that never was.
    func withdrawnProduct(_ visit: Visit) async throws -> PageContent {
        let (handle, now) = (try visit.parameter("handle"), now)
        let found = try await services.store.read { try $0.products.product(handle, at: now) }
        guard found?.handle == handle else { throw try await formerProduct(visit, "handle") }
        guard let found, [.withdrawn, .archived].contains(found.status) else {
            throw RequestProblem(.notFound)
        }
        let catalog = CatalogReading(try await services.catalog.current())
        let texts = ProductValues(site: self, visit: visit)
        let close = ProductQuery(category: found.details.category, inStock: true, limit: Self.mostInstead)
        let others = (try? catalog.page(close, after: nil).items) ?? []
        let category = catalog.namedCategory(id: found.details.category)
        let links = [
            category.map { ($0.name, PagePath.category($0.id)) }, (text("all-products", visit), PagePath.products),
        ].compactMap(\.self)
        var product: PageValues = ["name": found.name]
        product["image"] = found.details.images.first.flatMap { texts.image($0) }
        var content = PageContent(
            "problem", title: found.name,
            [
                "heading": text("product-gone-title", visit, found.name), "text": text("product-gone", visit),
                "product": product, "hasRecommendations": !others.isEmpty,
                "recommendations": others.map { texts.card($0) },
                "links": links.enumerated().map { place, link -> PageValues in
                    ["label": link.0, "url": link.1, "isPrimary": place == 0]
                },
            ])
        content.status = .gone
        return content
    }
}
