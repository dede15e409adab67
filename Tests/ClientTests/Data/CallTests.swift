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

/// Every call of `DataManager`: that its path, its body and its answer are those of one endpoint of the contract.
@Suite(.timeLimit(.minutes(5)))
struct CallTests {
    struct Call: Sendable, CustomTestStringConvertible {
        let endpoint: Endpoint
        let perform: @Sendable (DataManager) async throws -> Void

        init(_ endpoint: Endpoint, _ perform: @escaping @Sendable (DataManager) async throws -> Void) {
            self.endpoint = endpoint
            self.perform = perform
        }

        var testDescription: String { endpoint.name }
    }

    private static let owner = "acc_1"
    private static let address = Address(
        name: "Ada", line1: "1 High St", city: "Sydney", postalCode: "2000", country: "AU")
    private static let terms = DiscountTerms(code: "SPRING", kind: .freeShipping)
    private static let draft = OrderDraft(lines: [.init(sku: "a", quantity: 1)])
    private static let card = PaymentMethod.card(token: "tok_ok")

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
        Call(.healthReady) { try await $0.healthReady() },
        Call(.shop) { _ = try await $0.shop() },
        Call(.signUp) { _ = try await $0.signUp(name: "Ada", email: "a@example.org", password: "12345678") },
        Call(.signIn) { _ = try await $0.signIn(email: "a@example.org", password: "12345678") },
        Call(.startGuestSession) { _ = try await $0.startGuestSession() },
        Call(.signOut) { try await $0.signOut() },
        Call(.profile) { _ = try await $0.profile() },
        Call(.updateProfile) { _ = try await $0.updateProfile(name: "Bea") },
        Call(.deleteAccount) { try await $0.deleteAccount(password: "12345678") },
        Call(.changePassword) { try await $0.changePassword(from: "12345678", to: "87654321") },
        Call(.requestPasswordReset) { try await $0.requestPasswordReset(email: "a@example.org") },
        Call(.resetPassword) { try await $0.resetPassword(token: "t", to: "87654321") },
        Call(.requestVerification) { try await $0.requestVerification() },
        Call(.verifyEmail) { try await $0.verifyEmail(token: "t") },
        Call(.changeEmail) { try await $0.changeEmail(to: "b@example.org", password: "12345678") },
        Call(.accountSessions) { _ = try await $0.accountSessions() },
        Call(.endSession) { try await $0.endSession(id: "ses_2") },
        Call(.exportAccount) { _ = try await $0.exportAccount() },
        Call(.addresses) { _ = try await $0.addresses() },
        Call(.addAddress) { _ = try await $0.addAddress(address) },
        Call(.updateAddress) { _ = try await $0.updateAddress(id: "adr_1", to: address) },
        Call(.deleteAddress) { try await $0.deleteAddress(id: "adr_1") },
        Call(.seasons) { _ = try await $0.seasons() },
        Call(.themes) { _ = try await $0.themes() },
        Call(.categories) { _ = try await $0.categories() },
        Call(.promotions) { _ = try await $0.promotions() },
        Call(.products) { _ = try await $0.products(ProductQuery()) },
        Call(.product) { _ = try await $0.product(handle: "a") },
        Call(.availability) { _ = try await $0.availability(of: ["a"]) },
        Call(.cart) { _ = try await $0.cart() },
        Call(.addCartLine, edit(.add(sku: "a", quantity: 1))),
        Call(.setCartLine, edit(.set(sku: "a", quantity: 1))),
        Call(.removeCartLine, edit(.remove(sku: "a"))),
        Call(.clearCart, edit(.clear)),
        Call(.setCartDiscount) { _ = try await $0.setCartDiscount(code: "SPRING") },
        Call(.removeCartDiscount) { _ = try await $0.removeCartDiscount() },
        Call(.shippingMethods) { _ = try await $0.shippingMethods() },
        Call(.setCartShipping) { _ = try await $0.setCartShipping(methodId: "standard", address: address) },
        Call(.checkout) {
            _ = try await $0.checkout(
                Fixture.cart(), paymentMethod: card, expectedTotal: Fixture.euros(1), email: nil)
        },
        Call(.previewOrder) { _ = try await $0.previewOrder(draft) },
        Call(.buyNow) {
            _ = try await $0.buyNow(draft, paymentMethod: card, expectedTotal: Fixture.euros(1), email: nil)
        },
        Call(.orders) { _ = try await $0.orders() },
        Call(.order) { _ = try await $0.order(id: "ord_1") },
        Call(.cancelOrder) { _ = try await $0.cancelOrder(id: "ord_1") },
        Call(.changeDelivery) { _ = try await $0.changeDelivery(of: "ord_1", to: "standard") },
        Call(.orderByLink) { _ = try await $0.order(link: "https://shop.example.com/orders#token") },
        Call(.ridePlaces) { _ = try await $0.places() },
        Call(.rideOptions) { _ = try await $0.rideOptions(at: RideWaypoints.sample().pickupLocation) },
        Call(.quoteRide) { _ = try await $0.quotes(for: RideWaypoints.sample()) },
        Call(.requestRide) { _ = try await $0.requestRide(RideWaypoints.sample(), option: "wallaby", quoteId: nil) },
        Call(.rides) { _ = try await $0.rides() },
        Call(.ride) { _ = try await $0.ride(id: "rid_1") },
        Call(.cancelRide) { _ = try await $0.cancelRide(id: "rid_1") },
        Call(.rideReceipt) { _ = try await $0.rideReceipt(id: "rid_1") },
        Call(.importCatalog) {
            _ = try await $0.importCatalog(file: URL(filePath: "/dev/null"), format: .layersJSON)
        },
        Call(.catalogImport) { _ = try await $0.catalogImport(id: "imp_1") },
        Call(.updateVariant) { _ = try await $0.updateVariant(sku: "a", price: Fixture.euros(1)) },
        Call(.discounts) { _ = try await $0.discounts() },
        Call(.addDiscount) { _ = try await $0.addDiscount(terms) },
        Call(.updateDiscount) { _ = try await $0.updateDiscount(id: "dis_1", from: terms, to: terms) },
        Call(.deleteDiscount) { try await $0.deleteDiscount(id: "dis_1") },
        Call(.scheduledPrices) { _ = try await $0.scheduledPrices() },
        Call(.schedulePrice) {
            _ = try await $0.schedulePrice(
                sku: "a", price: Fixture.euros(1), from: Date.sample, until: Date.sample.addingTimeInterval(60))
        },
        Call(.deleteScheduledPrice) { try await $0.deleteScheduledPrice(id: "prc_1") },
        Call(.allOrders) { _ = try await $0.allOrders() },
        Call(.fulfilOrder) { _ = try await $0.fulfilOrder(id: "ord_1") },
        Call(.deliverOrder) { _ = try await $0.deliverOrder(id: "ord_1") },
        Call(.refundOrder) { _ = try await $0.refundOrder(id: "ord_1", RefundDraft(.rest, reason: "late")) },
        Call(.managedOrder) { _ = try await $0.managedOrder(id: "P-1") },
        Call(.updateOrder) { _ = try await $0.track(order: "P-1", Tracking(carrier: "DHL", number: "1")) },
        Call(.cancelManagedOrder) { _ = try await $0.cancelManagedOrder(id: "P-1") },
        Call(.addOrderNote) { _ = try await $0.addNote(order: "P-1", "Gift") },
        Call(.packingSlip) { _ = try await $0.packingSlip(order: "P-1") },
        Call(.customers) { _ = try await $0.customers(search: "ada") },
        Call(.customer) { _ = try await $0.customer(id: "acc_1") },
        Call(.salesReport) { _ = try await $0.sales(from: Date.sample, by: .month) },
        Call(.stockLevels) { _ = try await $0.stock(atMost: 3) },
        Call(.exportOrders) { try await $0.exportOrders(OrderSearch(text: "ada"), to: file()) },
        Call(.exportCustomers) { try await $0.exportCustomers(to: file()) },
        Call(.exportStock) { try await $0.exportStock(to: file()) },
        Call(.confirmSession) { try await $0.confirmSession(password: "12345678", code: "287082") },
        Call(.secondFactor) { _ = try await $0.secondFactor() },
        Call(.beginSecondFactor) { _ = try await $0.beginSecondFactor() },
        Call(.enableSecondFactor) { _ = try await $0.enableSecondFactor(code: "287082") },
        Call(.removeSecondFactor) { try await $0.removeSecondFactor() },
        Call(.acceptInvitation) { try await $0.acceptInvitation(token: "t", password: "12345678") },
        Call(.staff) { _ = try await $0.staff() },
        Call(.inviteStaff) { _ = try await $0.inviteStaff(email: "a@example.org", as: .support) },
        Call(.changeStaffRole) { _ = try await $0.changeStaffRole(id: "acc_2", to: .manager) },
        Call(.removeStaff) { try await $0.removeStaff(id: "acc_2") },
        Call(.apiKeys) { _ = try await $0.apiKeys() },
        Call(.createAPIKey) { _ = try await $0.createAPIKey(name: "till", scopes: [.readOrders]) },
        Call(.revokeAPIKey) { try await $0.revokeAPIKey(id: "key_1") },
        Call(.shopEvents) { _ = try await $0.events() },
        Call(.auditLog) { _ = try await $0.auditLog() },
        Call(.webhooks) { _ = try await $0.webhooks() },
        Call(.addWebhook) { _ = try await $0.addWebhook(url: "https://example.com") },
        Call(.webhook) { _ = try await $0.webhook(id: "whk_1") },
        Call(.updateWebhook) { _ = try await $0.updateWebhook(id: "whk_1", WebhookChange(isActive: false)) },
        Call(.deleteWebhook) { try await $0.deleteWebhook(id: "whk_1") },
        Call(.rotateWebhookSecret) { _ = try await $0.rotateWebhookSecret(id: "whk_1") },
        Call(.webhookDeliveries) { _ = try await $0.webhookDeliveries(of: "whk_1") },
        Call(.redeliverWebhook) { _ = try await $0.redeliverWebhook(deliveryId: "dlv_1") },
        Call(.managedProducts) { _ = try await $0.managedProducts(status: .draft, text: "cap") },
        Call(.managedProduct) { _ = try await $0.managedProduct("cap") },
        Call(.addProduct) { _ = try await $0.addProduct(ProductTerms(name: "Cap")) },
        Call(.updateProduct) {
            _ = try await $0.updateProduct(
                id: "prd_1", version: 1, from: ProductTerms(name: "Cap"), to: ProductTerms(name: "Hat"))
        },
        Call(.addPicture) { _ = try await $0.addPicture(file: URL(filePath: "/cap.png"), mediaType: "image/png") },
        Call(.exportProducts) { try await $0.exportProducts(to: file()) },
        Call(.managedCategories) { _ = try await $0.managedCategories() },
        Call(.setCategory) { _ = try await $0.setCategory(id: "hats", name: "Hats") },
        Call(.deleteCategory) { try await $0.deleteCategory(id: "hats") },
        Call(.managedSeasons) { _ = try await $0.managedSeasons() },
        Call(.setSeason) { _ = try await $0.setSeason(id: "71", SeasonTerms(name: "Autumn")) },
        Call(.deleteSeason) { try await $0.deleteSeason(id: "71") },
        Call(.managedThemes) { _ = try await $0.managedThemes() },
        Call(.setTheme) { _ = try await $0.setTheme(id: "711", name: "Sea", seasonId: "71") },
        Call(.deleteTheme) { try await $0.deleteTheme(id: "711") },
        Call(.managedPromotions) { _ = try await $0.managedPromotions() },
        Call(.setPromotions) { _ = try await $0.setPromotions([PromotionTerms(product: "cap")]) },
    ]

    private func data(over transport: any Transport, store: MemoryStore = MemoryStore()) throws -> DataManager {
        let sessions = MemorySessionStore(Fixture.data(Fixture.session()))
        return DataManager(
            service: try makeService(over: transport, store: sessions), store: store, now: { Date.sample })
    }

    @Test func `every endpoint has a call, except those that only the service or a stream uses`() {
        let others: Set<Endpoint> = [.healthLive, .openAPI, .asset, .refreshSession, .rideEvents, .orderEvents]
        #expect(Set(Self.calls.map(\.endpoint)) == Set(Endpoint.all).subtracting(others))
        #expect(Set(Self.calls.map(\.endpoint)).count == Self.calls.count)
    }

    @Test(arguments: calls)
    func `a call sends the path and the body, and reads the answer, that the contract has for its endpoint`(
        _ call: Call
    ) async throws {
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

        if [ObjectIdentifier(NoContent.self), ObjectIdentifier(RawBytes.self)]
            .contains(ObjectIdentifier(exchange.answerType))
        {
            #expect(failure == nil)
        } else {
            #expect(failure?.reason == .unreadableAnswer)
            #expect(
                failure?.log.hasPrefix(Self.read(exchange.answerType) + " with status") == true, "\(failure?.log ?? "")"
            )
        }
    }

    /// The type that is read from an answer, where the rows of pages are read one by one.
    private static func read(_ answer: Any.Type) -> String {
        let name = answer == ProductPage.self ? "Page<Product>" : "\(answer)"
        return name.hasPrefix("Page<") ? "Row" + name : name
    }

    @Test func `every kind of pending write is sent to the endpoint that it is named after`() async throws {
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
        #expect(kinds == Set(PendingWrite.Kind.allCases))
    }
}
