import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchContract
import PouchDomain
import PouchEntities
import PouchImport

/// Products, as administrators create and change them.
struct ProductHandlers {
    private let environment: DomainEnvironment
    private let products: ProductAdministration
    private let pages: ListPager

    init(services: ShopServices, pages: ListPager) {
        environment = services.environment
        products = ProductAdministration(services.environment)
        self.pages = pages
    }

    func list(_ call: Call<ManagedProductsQuery>, in repositories: any Repositories) throws -> Reply<
        Page<ManagedProduct>
    > {
        let query = call.input
        let selection = ProductSelection(status: query.status, text: query.text, category: query.category)
        return Reply(
            try pages.page(list: "managed-products", query.page, key: \.id) { after, limit in
                try products.products(selection, after: after, limit: limit, in: repositories)
            })
    }

    func product(_ call: Call<Void>, in repositories: any Repositories) throws -> Reply<ManagedProduct> {
        Reply(product: try products.product(call.parameter("id"), in: repositories))
    }

    func add(_ call: Call<ProductTerms>, in repositories: any Repositories) throws -> Reply<ManagedProduct> {
        Reply(product: try products.add(call.input, in: repositories))
    }

    func update(_ call: Call<ProductPatch>, in repositories: any Repositories) throws -> Reply<ManagedProduct> {
        let (before, after) = try products.update(
            call.parameter("id"), ifMatch: call.ifMatch, in: repositories
        ) { call.input.applied(to: $0) }
        // Without a change, the entry of the audit log must not look like that of the next version.
        if after != before { call.replaced(before) }
        call.changes(id: after.id)
        return Reply(product: after)
    }

    func addPicture(_ call: Call<Void>) async throws -> Response {
        let body: ByteBuffer
        do {
            body = try await call.request.collected(upTo: ModelLimits.pictureBytes)
        } catch is NIOTooManyBytesError {
            throw DomainError.invalidPicture(.tooManyBytes)
        }
        let (bytes, mediaType) = (Data(body.readableBytesView), call.request.headers[.contentType])
        let picture = try await environment.store.write { [digests = environment.digests] repositories in
            try call.principal.checkSession(in: repositories)
            return try PictureFile.store(bytes, mediaType: mediaType, digests: digests, in: repositories)
        }
        return try Reply(picture).stored(status: Contract.addPicture.status).response
    }

    /// Sends the products batch by batch, so that a large catalogue takes little memory. Each product is sent in its
    /// state when its batch is read.
    func export(_ call: Call<Void>) async throws -> Response {
        let export = ProductExport(environment)
        // The first batch is read before the answer begins, so that errors can still set the status.
        let first = try await export.batch(after: nil)
        let body = ResponseBody { writer in
            var batch = first
            try await writer.write(ByteBuffer(string: ProductExport.header))
            while true {
                try await writer.write(ByteBuffer(string: batch.rows))
                guard let last = batch.last else { break }
                batch = try await export.batch(after: last)
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/csv; charset=utf-8; header=present", .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"products.csv\"",
            ], body: body)
    }
}

extension Reply<ManagedProduct> {
    init(product: ManagedProduct) {
        self.init(product, etag: String(product.version))
    }
}

/// Categories, seasons, themes and the front page, as administrators change them.
struct TaxonomyHandlers {
    private let taxonomy: TaxonomyAdministration
    private let pages: ListPager
    private let time: any TimeSource

    init(services: ShopServices, pages: ListPager) {
        taxonomy = TaxonomyAdministration(services.environment)
        self.pages = pages
        time = services.environment.time
    }

    func categories(
        _ call: Call<PageQuery>, in repositories: any Repositories
    ) throws -> Reply<Page<PouchEntities.Category>> {
        Reply(
            try pages.page(
                of: repositories.taxonomy.categories(), list: "managed-categories", call.input,
                key: \.id))
    }

    func setCategory(
        _ call: Call<NameRequest>, in repositories: any Repositories
    ) throws -> Reply<PouchEntities.Category> {
        let (before, after) = try taxonomy.setCategory(
            id: call.parameter("id"), name: call.input.name, in: repositories)
        if let before { call.replaced(before) }
        return Reply(after)
    }

    func seasons(_ call: Call<PageQuery>, in repositories: any Repositories) throws -> Reply<Page<Season>> {
        let seasons = try repositories.taxonomy.seasons().sorted { $0.id < $1.id }
        return Reply(try pages.page(of: seasons, list: "managed-seasons", call.input, key: \.id))
    }

    func setSeason(_ call: Call<SeasonTerms>, in repositories: any Repositories) throws -> Reply<Season> {
        let (before, after) = try taxonomy.setSeason(id: call.parameter("id"), call.input, in: repositories)
        if let before { call.replaced(before) }
        return Reply(after)
    }

    func themes(_ call: Call<PageQuery>, in repositories: any Repositories) throws -> Reply<Page<Theme>> {
        let themes = try repositories.taxonomy.themes().sorted { $0.id < $1.id }
        return Reply(try pages.page(of: themes, list: "managed-themes", call.input, key: \.id))
    }

    func setTheme(_ call: Call<ThemeRequest>, in repositories: any Repositories) throws -> Reply<Theme> {
        let (before, after) = try taxonomy.setTheme(
            id: call.parameter("id"), name: call.input.name, seasonId: call.input.seasonId, in: repositories)
        if let before { call.replaced(before) }
        return Reply(after)
    }

    func delete(_ part: CatalogPart) -> @Sendable (Call<Void>, any ShopRepositories) throws -> Void {
        { [taxonomy] call, repositories in try taxonomy.delete(part, id: call.parameter("id"), in: repositories) }
    }

    func promotions(_ call: Call<PageQuery>, in repositories: any Repositories) throws -> Reply<Page<ManagedPromotion>>
    {
        let promotions = try repositories.taxonomy.promotions(at: time.now)
        return Reply(
            try pages.page(of: promotions, list: "managed-promotions", call.input) {
                String(format: "%09d", $0.position)
            })
    }

    func setPromotions(
        _ call: Call<PromotionsRequest>, in repositories: any Repositories
    ) throws -> Reply<Page<ManagedPromotion>> {
        let (before, after) = try taxonomy.setPromotions(call.input.items, in: repositories)
        call.replaced(Page(items: before, nextCursor: nil))
        return Reply(Page(items: after, nextCursor: nil))
    }
}
