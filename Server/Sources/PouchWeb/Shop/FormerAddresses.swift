import Foundation
import Hummingbird
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchWire

extension PageRoutes {
    /// Adds the addresses that products and categories had in a Shopify shop. They redirect permanently to the pages
    /// here, like the former handles of products (`Visit.withdrawnProduct`).
    func addFormerAddresses() {
        page("/products/{handle}", for: .anyone) { throw try await $0.formerProduct("handle") }
        page("/collections/{id}/products/{handle}", for: .anyone) {
            throw try await $0.formerProduct("handle")
        }
        page("/collections", for: .anyone) { throw Redirect($0, toFormer: PagePath.products) }
        page("/collections/{id}", for: .anyone) { [site] visit in
            let name = try visit.parameter("id")
            if name == "all" { throw Redirect(visit, toFormer: PagePath.products) }
            let catalog = CatalogReading(try await site.services.catalog.current())
            guard let category = catalog.namedCategory(id: name.slug) else { throw RequestProblem(.notFound) }
            throw Redirect(visit, toFormer: PagePath.category(category.id))
        }
    }
}

extension Visit {
    /// The redirect to the page of a product whose handle has changed.
    ///
    /// - Throws: `RequestProblem` if no product had the address.
    func formerProduct(_ name: String) async throws -> Redirect {
        let address = try parameter(name).precomposedStringWithCanonicalMapping
        guard ModelLimits.textLength.contains(address.count),
            let handle = try await site.services.store.read({ try $0.products.handle(ofAddress: address) })
        else { throw RequestProblem(.notFound) }
        return Redirect(self, toFormer: PagePath.product(handle))
    }
}

extension Redirect {
    /// - Parameter path: the path of the page that was requested under its former address. The query stays the same.
    fileprivate init(_ visit: Visit, toFormer path: String) {
        let whole = visit.request.uri.query.map { path + "?" + $0 }
        self.init(to: Redirect.localPath(whole) ?? path, isPermanent: true)
    }
}

extension Visit {
    private static let maxAlternatives = 8

    /// The page of a product that is no longer sold, with similar products.
    ///
    /// - Throws: `Redirect` to the product that had the handle; `RequestProblem` for a product that never existed.
    func withdrawnProduct() async throws -> PageContent {
        let (handle, now) = (try parameter("handle"), site.now)
        let found = try await site.services.store.read { try $0.products.product(handle, at: now) }
        guard found?.handle == handle else { throw try await formerProduct("handle") }
        guard let found, [.withdrawn, .archived].contains(found.status) else {
            throw RequestProblem(.notFound)
        }
        let catalog = CatalogReading(try await site.services.catalog.current())
        let texts = ProductValues(visit: self)
        let close = ProductQuery(category: found.details.category, inStock: true, limit: Self.maxAlternatives)
        let others = (try? catalog.page(close, after: nil).items) ?? []
        let category = catalog.namedCategory(id: found.details.category)
        let links = [
            category.map { ($0.name, PagePath.category($0.id)) }, (text("all-products"), PagePath.products),
        ].compactMap(\.self)
        var content = PageContent(
            ProblemValues(
                status: "", heading: text("product-gone-title", found.name), text: text("product-gone"),
                links: links.enumerated().map { .init(label: $1.0, url: $1.1, isPrimary: $0 == 0) },
                product: .init(name: found.name, image: found.details.images.first.flatMap { texts.image($0) }),
                recommendations: others.map { texts.card($0) }),
            title: found.name)
        content.status = .gone
        return content
    }
}
