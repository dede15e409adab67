import HTTPTypes
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchWire

extension Site {
    private static let maxAlternatives = 8

    /// The page of a product that is no longer sold, with similar products.
    ///
    /// - Throws: `Redirect` to the product that had the handle; `RequestProblem` for a product that never existed.
    func withdrawnProduct(_ visit: Visit) async throws -> PageContent {
        let (handle, now) = (try visit.parameter("handle"), now)
        let found = try await services.store.read { try $0.products.product(handle, at: now) }
        guard found?.handle == handle else { throw try await formerProduct(visit, "handle") }
        guard let found, [.withdrawn, .archived].contains(found.status) else {
            throw RequestProblem(.notFound)
        }
        let catalog = CatalogReading(try await services.catalog.current())
        let texts = ProductValues(site: self, visit: visit)
        let close = ProductQuery(category: found.details.category, inStock: true, limit: Self.maxAlternatives)
        let others = (try? catalog.page(close, after: nil).items) ?? []
        let category = catalog.namedCategory(id: found.details.category)
        let links = [
            category.map { ($0.name, PagePath.category($0.id)) }, (text("all-products", visit), PagePath.products),
        ].compactMap(\.self)
        var content = PageContent(
            ProblemValues(
                status: "", heading: text("product-gone-title", visit, found.name), text: text("product-gone", visit),
                links: links.enumerated().map { .init(label: $1.0, url: $1.1, isPrimary: $0 == 0) },
                product: .init(name: found.name, image: found.details.images.first.flatMap { texts.image($0) }),
                recommendations: others.map { texts.card($0) }),
            title: found.name)
        content.status = .gone
        return content
    }
}
