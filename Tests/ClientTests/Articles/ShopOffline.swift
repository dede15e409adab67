import Foundation
import PouchClient
import PouchPersistence

func openClient(
    server: URL, storage: DeviceStorage, transport: any Transport = StandardTransport()
) async throws(StoreError) -> Pouch {
    let store = try await SQLiteStore.open(at: storage.database)
    return Pouch(
        server: server, transport: transport, sessionStore: storage.sessionStore, store: store,
        cache: storage.cache)
}

func keepCatalog(of pouch: Pouch) -> Task<Void, Never> {
    Task { await pouch.catalog.keepImported() }
}

func title(of query: ProductQuery, in pouch: Pouch) async throws(DataError) -> String {
    let list = try await pouch.catalog.products(query)
    let title = "\(list.items.count) products"
    guard list.failure != nil else { return title }
    return title + (list.asOf.map { ", as of \($0.formatted(.iso8601))" } ?? ", perhaps outdated")
}

func badge(of pouch: Pouch) -> String {
    guard let state = pouch.cart.state else { return "" }
    return state.isConfirmed
        ? "\(state.cart.unitCount)" : "\(state.cart.unitCount), \(state.pendingCount) to send"
}

func followCart(of pouch: Pouch, show: (String) -> Void) async {
    for await update in pouch.cart.updates() {
        switch update {
        case .changed(let changes):
            for change in changes { show("\(change.sku): \(change.reason.rawValue)") }
        case .refused(_, let error):
            show(error.errorDescription ?? "The cart could not be changed.")
        }
    }
}

func settlePurchases(of pouch: Pouch) async throws(DataError) -> [Order] {
    var orders: [Order] = []
    for purchase in try await pouch.checkout.unresolved() where purchase.canResume {
        orders.append(try await pouch.checkout.resume(purchase))
    }
    return orders
}
