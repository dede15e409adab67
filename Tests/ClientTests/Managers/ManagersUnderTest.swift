import Foundation
import PouchData
import PouchManagers
import PouchNetwork
import PouchService

/// The managers over a stub, put together as an app gets them.
struct ManagersUnderTest {
    let service: PouchService
    let account: AccountManager
    let cart: CartManager
    let checkout: CheckoutManager
    let admin: AdminManager

    init(
        over transport: any Transport,
        store: any SessionStore = MemorySessionStore(),
        makeKey: @escaping @Sendable () -> String = { UUID().uuidString }
    ) throws {
        service = try makeService(over: transport, store: store)
        let data = DataManager(service: service, makeKey: makeKey)
        account = AccountManager(data: data)
        cart = CartManager(data: data, account: account)
        checkout = CheckoutManager(data: data, account: account, cart: cart)
        admin = AdminManager(data: data)
    }
}
