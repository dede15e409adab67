import Observation
import PouchApp
import PouchClient
import PouchTesting
import Testing

@MainActor @Observable
final class ProductModel {
    private(set) var product: Product?
    private(set) var unitsInCart = 0
    private(set) var message: String?
    private let pouch: Pouch

    init(_ pouch: Pouch) {
        self.pouch = pouch
    }

    func load(_ handle: String) async {
        await attempt { product = try await pouch.catalog.product(handle: handle).value }
    }

    func addToCart() async {
        guard let sku = product?.variants.first?.sku else { return }
        await attempt { unitsInCart = try await pouch.cart.add(sku: sku).unitCount }
    }

    private func attempt(_ work: () async throws -> Void) async {
        do {
            try await work()
            message = nil
        } catch {
            message = (error as? DataError)?.errorDescription
        }
    }
}

@MainActor @Test func `a product goes into the cart until it is sold out`() async {
    let shop = TestShop(products: [.sample(sku: "hat-1", price: 19_00, stock: 1)])
    let model = ProductModel(Pouch(testing: shop))
    await model.load("hat-1")
    #expect(model.product?.price == Money(19_00, .eur))
    await model.addToCart()
    #expect(model.unitsInCart == 1)
    await model.addToCart()
    #expect(model.message == "Not enough in stock: 1 left of hat-1.")
    #expect(shop.effects == ["add hat-1 1"])
}

@MainActor @Test func `an addition says that the shop is offline`() async {
    let shop = TestShop()
    let model = ProductModel(Pouch(testing: shop))
    await model.load("hat-1")
    shop.failNext(Contract.addCartLine, with: .network(.unreachable("no network")))
    await model.addToCart()
    #expect(model.message == "The server cannot be reached. Nothing was sent.")
}

@MainActor @Test func `a card that has expired is declined`() async throws {
    let shop = TestShop(products: [.sample(sku: "hat-1")])
    let pouch = Pouch(testing: shop, signedInAs: .sample())
    try await pouch.cart.add(sku: "hat-1")
    let cart = try await pouch.cart.setShipping(methodId: "standard", to: .sample())
    let answer = NetworkResponse.problem(.paymentDeclined) { ProblemDetails($0, declineCode: "expired_card") }
    shop.failNext(Contract.checkout, with: .answer(answer))
    let error = await #expect(throws: DataError.self) {
        try await pouch.checkout.pay(for: cart, with: .card(token: "tok_ok"))
    }
    #expect(error?.reason == .paymentDeclined(code: "expired_card"))
}

@MainActor @Test func `an administrator finds the orders of all customers`() async throws {
    let shop = TestShop()
    shop.answer(Contract.allOrders, with: Page(items: [.sample(id: "ord_7")]))
    let pouch = Pouch(testing: shop, signedInAs: .sample(kind: .admin))
    var orders = pouch.admin.allOrders().makeAsyncIterator()
    #expect(try await orders.next()?.id == "ord_7")
    #expect(shop.unanswered.isEmpty)
}

@MainActor @Test func `a product is one step from home`() async throws {
    let record = ScreenRecord()
    let surface = RecordingSurface(record)
    let app = AppCoordinator(on: surface, screens: RecordingScreens(record))
    app.dependency = AppDependency(Pouch(testing: TestShop()))
    app.start()
    let home = try await surface.top(RecordingHomeScreen.self)
    try await home.send(ShopPage.product(handle: "hat-1"))
    let product = try await surface.top(RecordingProductScreen.self) { $0.product.value != nil }
    try await product.send(EditCart.add(sku: "hat-1"))
    try await surface.top(RecordingProductScreen.self) { $0.status.cart.unitCount == 1 }
    surface.goBack()
    #expect(app.pages == [.home])
}
