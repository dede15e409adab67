import PouchContract
import PouchDomain
import PouchEntities

/// Price and stock of single variants.
struct VariantRoutes {
    let services: ShopServices

    func register(with routes: RouteRegistrar) {
        let variants = services.variants
        routes.perform(Contract.updateVariant) { call, principal, _ in
            let sku = try call.parameter("sku")
            let patch = call.body
            // Many may change one SKU at once, while it is sold.
            let variant = try await services.store.write(.readCommitted) { repositories in
                try principal.checkSession(in: repositories)
                return try variants.update(
                    sku: sku, price: patch.price, available: patch.available, adjust: patch.adjust, in: repositories)
            }
            return try Reply(variant).stored(status: Contract.updateVariant.status).response()
        }
    }
}
