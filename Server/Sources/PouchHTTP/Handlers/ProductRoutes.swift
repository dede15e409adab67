import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchContract
import PouchDomain
import PouchEntities
import PouchImport
import PouchWire

extension ShopRouter {
    /// Products, as administrators create and change them, and pictures.
    static func addProducts(to routes: RouteRegistrar, _ services: ShopServices) {
        let environment = services.environment
        let products = ProductAdministration(environment)
        routes(Contract.managedProducts).list("managed-products", by: \.id) { call, page, repositories in
            let query = call.input
            let selection = ProductSelection(status: query.status, text: query.text, category: query.category)
            return try products.products(selection, after: page.after, limit: page.limit, in: repositories)
        }
        routes(Contract.addProduct).write { Reply(product: try products.add($0.input, in: $1)) }
        routes(Contract.managedProduct).read { call, repositories in
            Reply(product: try products.product(call.parameter("id"), in: repositories))
        }
        routes(Contract.updateProduct).write { call, repositories in
            let (before, after) = try products.update(
                call.parameter("id"), ifMatch: call.ifMatch, in: repositories
            ) { call.input.applied(to: $0) }
            // Without a change, the entry of the audit log must not look like that of the next version.
            if after != before { call.replaced(before) }
            call.changes(id: after.id)
            return Reply(product: after)
        }
        routes(Contract.addPicture).stream { [steps = routes.steps] call in
            let body: ByteBuffer
            do {
                body = try await call.request.collected(upTo: ModelLimits.pictureBytes)
            } catch is NIOTooManyBytesError {
                throw DomainError.invalidPicture(.tooManyBytes)
            }
            let (bytes, mediaType) = (Data(body.readableBytesView), call.request.headers[.contentType])
            let answer = try await environment.store.write(for: call.principal) { repositories in
                let picture = try PictureFile.store(
                    bytes, mediaType: mediaType, digests: environment.digests, in: repositories)
                let answer = try Reply(picture).stored(status: Contract.addPicture.status)
                try steps.record(call, answer, in: repositories)
                return answer
            }
            return answer.response
        }
        routes(Contract.exportProducts).stream { call in
            try await ExportHandlers.products(ProductExport(environment), for: call.principal)
        }
    }

    /// Categories, seasons, themes and the front page, as administrators change them.
    static func addTaxonomy(to routes: RouteRegistrar, _ services: ShopServices) {
        let taxonomy = TaxonomyAdministration(services.environment)
        let pages = routes.pages
        func delete(_ part: CatalogPart) -> RouteSteps.Handler<Void, Void> {
            { call, repositories in
                call.replaced(try taxonomy.delete(part, id: call.parameter("id"), in: repositories))
            }
        }

        routes(Contract.managedCategories).read { call, repositories in
            try pages.page(
                of: repositories.taxonomy.categories(), list: "managed-categories", call.input, key: \.id)
        }
        routes(Contract.setCategory).write { call, repositories in
            let (before, after) = try taxonomy.setCategory(
                id: call.parameter("id"), name: call.input.name, in: repositories)
            if let before { call.replaced(before) }
            return after
        }
        routes(Contract.deleteCategory).delete(delete(.category))

        routes(Contract.managedSeasons).read { call, repositories in
            let seasons = try repositories.taxonomy.seasons().sorted { $0.id < $1.id }
            return try pages.page(of: seasons, list: "managed-seasons", call.input, key: \.id)
        }
        routes(Contract.setSeason).write { call, repositories in
            let (before, after) = try taxonomy.setSeason(id: call.parameter("id"), call.input, in: repositories)
            if let before { call.replaced(before) }
            return after
        }
        routes(Contract.deleteSeason).delete(delete(.season))

        routes(Contract.managedThemes).read { call, repositories in
            let themes = try repositories.taxonomy.themes().sorted { $0.id < $1.id }
            return try pages.page(of: themes, list: "managed-themes", call.input, key: \.id)
        }
        routes(Contract.setTheme).write { call, repositories in
            let (before, after) = try taxonomy.setTheme(
                id: call.parameter("id"), name: call.input.name, seasonId: call.input.seasonId, in: repositories)
            if let before { call.replaced(before) }
            return after
        }
        routes(Contract.deleteTheme).delete(delete(.theme))

        routes(Contract.managedPromotions).read { [time = services.environment.time] call, repositories in
            let promotions = try repositories.taxonomy.promotions(at: time.now)
            let page = try pages.page(of: promotions, list: "managed-promotions", call.input) {
                String(format: "%09d", $0.position)
            }
            return Reply(page, etag: String(try taxonomy.version(of: promotions)))
        }
        routes(Contract.setPromotions).write { call, repositories in
            let (before, after) = try taxonomy.setPromotions(
                call.input.items, ifMatch: call.ifMatch, in: repositories)
            call.replaced(Page(items: before, nextCursor: nil))
            return Reply(Page(items: after, nextCursor: nil), etag: String(try taxonomy.version(of: after)))
        }
    }
}

extension Reply<ManagedProduct> {
    fileprivate init(product: ManagedProduct) {
        self.init(product, etag: String(product.version))
    }
}
