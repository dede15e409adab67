import ClientTesting
import Foundation
import PouchContract
import PouchData
import PouchEntities
import PouchJSON
import PouchNetwork
import PouchService
import PouchTesting
import PouchWire
import Testing

extension DataManager {
    var admin: AdminManager { AdminManager(data: self) }
}

/// Every call of `DataManager` and `AdminManager`.
@Suite(.timeLimit(.minutes(5)))
struct CallTests {
    struct Call: Sendable, CustomTestStringConvertible {
        let endpoint: Endpoint
        let perform: @Sendable (DataManager) async throws -> Void

        init(_ exchange: some AnyExchange, _ perform: @escaping @Sendable (DataManager) async throws -> Void) {
            endpoint = exchange.endpoint
            self.perform = perform
        }

        var testDescription: String { endpoint.name }
    }

    private static let owner = "acc_1"
    private static let address = Address.sample()
    private static let terms = DiscountTerms(code: "SPRING", kind: .freeShipping)
    private static let draft = OrderDraft(lines: [.init(sku: "a", quantity: 1)])
    private static let card = PaymentMethod.card(token: "tok_ok")
    private static let (cart, euro) = (Fixture.cart(), Fixture.euros(1))
    private static let spring = ManagedDiscount(id: "dis_1", terms: terms, used: 0)
    private static let hat = ProductTerms(name: "Hat")
    private static let cap = ManagedProduct(
        id: "prd_1", version: 1, state: ProductState(.draft),
        details: .init(handle: "cap", name: "Cap", category: "hats"), updatedAt: .sample, variants: [])
    private static let (noFile, ride) = (URL(filePath: "/dev/null"), RideWaypoints.sample())
    private static let (rest, paused) = (RefundDraft(.rest, reason: "late"), WebhookChange(isActive: false))

    private static func edit(_ edit: CartEdit) -> @Sendable (DataManager) async throws -> Void {
        { data in
            let sent = try await data.markSent(try data.prepare(edit, of: owner), isStored: false)
            _ = try await data.send(sent)
        }
    }

    private static func file() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "pouch-\(UUID().uuidString).csv")
    }

    static let calls: [Call] = [
        Call(Contract.healthReady) { try await $0.healthReady() },
        Call(Contract.shop) { _ = try await $0.shop() },
        Call(Contract.signUp) { _ = try await $0.signUp(name: "Ada", email: "a@example.org", password: "12345678") },
        Call(Contract.signIn) { _ = try await $0.signIn(email: "a@example.org", password: "12345678") },
        Call(Contract.startGuestSession) { _ = try await $0.startGuestSession() },
        Call(Contract.signOut) { try await $0.signOut() },
        Call(Contract.profile) { _ = try await $0.profile() },
        Call(Contract.updateProfile) { _ = try await $0.updateProfile(name: "Bea") },
        Call(Contract.deleteAccount) { try await $0.deleteAccount(password: "12345678") },
        Call(Contract.changePassword) { try await $0.changePassword(from: "12345678", to: "87654321") },
        Call(Contract.requestPasswordReset) { try await $0.requestPasswordReset(email: "a@example.org") },
        Call(Contract.resetPassword) { try await $0.resetPassword(token: "t", to: "87654321") },
        Call(Contract.requestVerification) { try await $0.requestVerification() },
        Call(Contract.verifyEmail) { try await $0.verifyEmail(token: "t") },
        Call(Contract.changeEmail) { try await $0.changeEmail(to: "b@example.org", password: "12345678") },
        Call(Contract.accountSessions) { _ = try await $0.accountSessions() },
        Call(Contract.endSession) { try await $0.endSession(id: "ses_2") },
        Call(Contract.exportAccount) { _ = try await $0.exportAccount() },
        Call(Contract.addresses) { _ = try await $0.addresses() },
        Call(Contract.addAddress) { _ = try await $0.addAddress(address) },
        Call(Contract.updateAddress) { _ = try await $0.updateAddress(id: "adr_1", to: address) },
        Call(Contract.deleteAddress) { try await $0.deleteAddress(id: "adr_1") },
        Call(Contract.seasons) { _ = try await $0.catalog().seasons() },
        Call(Contract.themes) { _ = try await $0.catalog().themes(season: nil) },
        Call(Contract.categories) { _ = try await $0.catalog().categories(season: nil) },
        Call(Contract.promotions) { _ = try await $0.catalog().promotions() },
        Call(Contract.products) { _ = try await $0.products(ProductQuery()) },
        Call(Contract.product) { _ = try await $0.product(handle: "a") },
        Call(Contract.availability) { _ = try await $0.availability(of: ["a"]) },
        Call(Contract.cart) { _ = try await $0.cart() },
        Call(Contract.addCartLine, edit(.add(sku: "a", quantity: 1))),
        Call(Contract.setCartLine, edit(.set(sku: "a", quantity: 1))),
        Call(Contract.removeCartLine, edit(.remove(sku: "a"))),
        Call(Contract.clearCart, edit(.clear)),
        Call(Contract.setCartDiscount) { _ = try await $0.setCartDiscount(code: "SPRING") },
        Call(Contract.removeCartDiscount) { _ = try await $0.removeCartDiscount() },
        Call(Contract.shippingMethods) { _ = try await $0.shippingMethods() },
        Call(Contract.setCartShipping) { _ = try await $0.setCartShipping(methodId: "standard", address: address) },
        Call(Contract.checkout) {
            _ = try await $0.checkout(cart, paymentMethod: card, expectedTotal: euro, email: nil)
        },
        Call(Contract.previewOrder) { _ = try await $0.previewOrder(draft) },
        Call(Contract.buyNow) { _ = try await $0.buyNow(draft, paymentMethod: card, expectedTotal: euro, email: nil) },
        Call(Contract.orders) { _ = try await $0.orders() },
        Call(Contract.order) { _ = try await $0.order(id: "ord_1") },
        Call(Contract.cancelOrder) { _ = try await $0.cancelOrder(id: "ord_1") },
        Call(Contract.changeDelivery) { _ = try await $0.changeDelivery(of: "ord_1", to: "standard") },
        Call(Contract.orderByLink) { _ = try await $0.order(link: "https://shop.example.com/orders#token") },
        Call(Contract.ridePlaces) { _ = try await $0.places() },
        Call(Contract.rideOptions) { _ = try await $0.rideOptions(at: ride.pickupLocation) },
        Call(Contract.quoteRide) { _ = try await $0.quotes(for: ride) },
        Call(Contract.requestRide) { _ = try await $0.requestRide(ride, option: "wallaby", quoteId: nil) },
        Call(Contract.rides) { _ = try await $0.rides() },
        Call(Contract.ride) { _ = try await $0.ride(id: "rid_1") },
        Call(Contract.cancelRide) { _ = try await $0.cancelRide(id: "rid_1") },
        Call(Contract.rideReceipt) { _ = try await $0.rideReceipt(id: "rid_1") },
        Call(Contract.importCatalog) { _ = try await $0.admin.importCatalog(file: noFile, format: .layersJSON) },
        Call(Contract.catalogImport) { _ = try await $0.admin.catalogImport(id: "imp_1") },
        Call(Contract.updateVariant) { _ = try await $0.admin.setPrice(sku: "a", euro) },
        Call(Contract.discounts) { _ = try await $0.admin.discounts() },
        Call(Contract.discount) { _ = try await $0.admin.discount(id: "dis_1") },
        Call(Contract.addDiscount) { _ = try await $0.admin.addDiscount(terms) },
        Call(Contract.updateDiscount) { _ = try await $0.admin.changeDiscount(spring, to: terms) },
        Call(Contract.deleteDiscount) { try await $0.admin.removeDiscount(id: "dis_1") },
        Call(Contract.scheduledPrices) { _ = try await $0.admin.scheduledPrices() },
        Call(Contract.schedulePrice) {
            _ = try await $0.admin.schedulePrice(sku: "a", euro, from: Date.sample, until: Date.sample + 60)
        },
        Call(Contract.deleteScheduledPrice) { try await $0.admin.removeScheduledPrice(id: "prc_1") },
        Call(Contract.allOrders) { _ = try await $0.admin.orders() },
        Call(Contract.fulfilOrder) { _ = try await $0.admin.fulfil(id: "ord_1") },
        Call(Contract.deliverOrder) { _ = try await $0.admin.deliver(id: "ord_1") },
        Call(Contract.refundOrder) { _ = try await $0.admin.refund(orderId: "ord_1", rest) },
        Call(Contract.managedOrder) { _ = try await $0.admin.order("P-1") },
        Call(Contract.updateOrder) { _ = try await $0.admin.track(id: "P-1", Tracking(carrier: "DHL", number: "1")) },
        Call(Contract.cancelManagedOrder) { _ = try await $0.admin.cancel(id: "P-1") },
        Call(Contract.addOrderNote) { _ = try await $0.admin.addNote("Gift", toOrder: "P-1") },
        Call(Contract.packingSlip) { _ = try await $0.admin.packingSlip(id: "P-1") },
        Call(Contract.customers) { _ = try await $0.admin.customers(search: "ada") },
        Call(Contract.customer) { _ = try await $0.admin.customer(id: "acc_1") },
        Call(Contract.salesReport) { _ = try await $0.admin.sales(from: Date.sample, by: .month) },
        Call(Contract.stockLevels) { _ = try await $0.admin.stock(atMost: 3) },
        Call(Contract.exportOrders) { try await $0.admin.exportOrders(OrderSearch(text: "ada"), to: file()) },
        Call(Contract.exportCustomers) { try await $0.admin.exportCustomers(to: file()) },
        Call(Contract.exportStock) { try await $0.admin.exportStock(to: file()) },
        Call(Contract.confirmSession) { try await $0.confirmSession(password: "12345678", code: "287082") },
        Call(Contract.secondFactor) { _ = try await $0.secondFactor() },
        Call(Contract.beginSecondFactor) { _ = try await $0.beginSecondFactor() },
        Call(Contract.enableSecondFactor) { _ = try await $0.enableSecondFactor(code: "287082") },
        Call(Contract.removeSecondFactor) { try await $0.removeSecondFactor() },
        Call(Contract.acceptInvitation) { try await $0.acceptInvitation(token: "t", password: "12345678") },
        Call(Contract.staff) { _ = try await $0.admin.staff() },
        Call(Contract.inviteStaff) { _ = try await $0.admin.inviteStaff(email: "a@example.org", as: .support) },
        Call(Contract.changeStaffRole) { _ = try await $0.admin.changeStaffRole(id: "acc_2", to: .manager) },
        Call(Contract.removeStaff) { try await $0.admin.removeStaff(id: "acc_2") },
        Call(Contract.apiKeys) { _ = try await $0.admin.apiKeys() },
        Call(Contract.createAPIKey) { _ = try await $0.admin.createAPIKey(name: "till", scopes: [.readOrders]) },
        Call(Contract.revokeAPIKey) { try await $0.admin.revokeAPIKey(id: "key_1") },
        Call(Contract.shopEvents) { _ = try await $0.admin.events() },
        Call(Contract.auditLog) { _ = try await $0.admin.auditLog() },
        Call(Contract.webhooks) { _ = try await $0.admin.webhooks() },
        Call(Contract.addWebhook) { _ = try await $0.admin.addWebhook(url: "https://example.com") },
        Call(Contract.webhook) { _ = try await $0.admin.webhook(id: "whk_1") },
        Call(Contract.updateWebhook) { _ = try await $0.admin.changeWebhook(id: "whk_1", paused) },
        Call(Contract.deleteWebhook) { try await $0.admin.removeWebhook(id: "whk_1") },
        Call(Contract.rotateWebhookSecret) { _ = try await $0.admin.rotateWebhookSecret(id: "whk_1") },
        Call(Contract.webhookDeliveries) { _ = try await $0.admin.deliveries(webhookId: "whk_1") },
        Call(Contract.redeliverWebhook) { _ = try await $0.admin.redeliver(id: "dlv_1") },
        Call(Contract.managedProducts) { _ = try await $0.admin.products(status: .draft, matching: "cap") },
        Call(Contract.managedProduct) { _ = try await $0.admin.product("cap") },
        Call(Contract.addProduct) { _ = try await $0.admin.addProduct(hat) },
        Call(Contract.updateProduct) { _ = try await $0.admin.changeProduct(cap, to: hat) },
        Call(Contract.addPicture) { _ = try await $0.admin.addPicture(file: noFile, mediaType: "image/png") },
        Call(Contract.exportProducts) { try await $0.admin.exportProducts(to: file()) },
        Call(Contract.managedCategories) { _ = try await $0.admin.categories() },
        Call(Contract.setCategory) { _ = try await $0.admin.setCategory(id: "hats", name: "Hats") },
        Call(Contract.deleteCategory) { try await $0.admin.removeCategory(id: "hats") },
        Call(Contract.managedSeasons) { _ = try await $0.admin.seasons() },
        Call(Contract.setSeason) { _ = try await $0.admin.setSeason(id: "71", SeasonTerms(name: "Autumn")) },
        Call(Contract.deleteSeason) { try await $0.admin.removeSeason(id: "71") },
        Call(Contract.managedThemes) { _ = try await $0.admin.themes() },
        Call(Contract.setTheme) { _ = try await $0.admin.setTheme(id: "711", name: "Sea", seasonId: "71") },
        Call(Contract.deleteTheme) { try await $0.admin.removeTheme(id: "711") },
        Call(Contract.managedPromotions) { _ = try await $0.admin.promotions() },
        Call(Contract.setPromotions) { _ = try await $0.admin.setPromotions([PromotionTerms(product: "cap")]) },
    ]

    private func data(over transport: any Transport, store: MemoryStore = MemoryStore()) throws -> DataManager {
        let sessions = MemorySessionStore(Fixture.data(Fixture.session()))
        return DataManager(
            service: try makeService(over: transport, store: sessions), store: store, now: { Date.sample })
    }

    @Test func `every endpoint has a call, except those that only the service or a stream uses`() {
        let others: [any AnyExchange] = [
            Contract.healthLive, Contract.openAPI, Contract.asset, Contract.refreshSession, Contract.rideEvents,
            Contract.orderEvents,
        ]
        #expect(Set(Self.calls.map(\.endpoint)) == Set(Endpoint.all).subtracting(others.map(\.endpoint)))
        #expect(Set(Self.calls.map(\.endpoint)).count == Self.calls.count)
    }

    @Test(arguments: calls)
    func `a call sends what the contract has for its endpoint, and reads its answer`(_ call: Call) async throws {
        let exchange = try #require(Contract.all.first { $0.endpoint == call.endpoint })
        // No answer of the contract is an empty object.
        let transport = RecordingTransport { _ in .text("{}", status: exchange.status) }
        var failure: DataError?
        do { try await call.perform(data(over: transport)) } catch { failure = error as? DataError }

        let request = try #require(transport.requests.first)
        #expect(transport.requests.count == 1)
        #expect(request.method == call.endpoint.method.rawValue)
        #expect(Endpoint.at(request.url.path()).contains(call.endpoint))

        if let type = exchange.bodyType as? any JSONCodable.Type {
            _ = try type.init(json: try #require(request.body))
        } else {
            #expect(request.body == nil)
        }

        if exchange.answerType == NoContent.self || exchange.answerType == RawBytes.self {
            #expect(failure == nil)
        } else {
            #expect(failure?.reason == .unreadableAnswer)
            let log = failure?.log ?? ""
            #expect(log.hasPrefix(Self.read(exchange.answerType) + " with status"), "\(log)")
        }
    }

    /// The type that is read from an answer, where the rows of pages are read one by one.
    private static func read(_ answer: Any.Type) -> String {
        let name = answer == ProductPage.self ? "Page<Product>" : "\(answer)"
        return name.hasPrefix("Page<") ? "Row" + name : name
    }

    @Test func `a pending write is sent to the endpoint that it is named after`() async throws {
        var kinds: Set<PendingWrite.Kind> = []
        for call in Self.calls {
            let store = MemoryStore()
            let transport = StubTransport { _ throws(NetworkError) in throw .timedOut }
            try? await call.perform(data(over: transport, store: store))
            for write in await store.pendingWrites(of: Self.owner) {
                #expect(write.kind.rawValue == call.endpoint.name)
                kinds.insert(write.kind)
            }
        }
        #expect(kinds.isSuperset(of: PendingWrite.Kind.noticed) && kinds.count == 18)
    }
}
