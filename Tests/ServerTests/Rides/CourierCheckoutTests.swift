import HummingbirdTesting
import PouchRides
import ServerTesting
import Testing

@Suite(
    "Kangaroo delivery at checkout", .timeLimit(.minutes(5)),
    .inCity(.usual, configure: { $0.settlementInterval = .seconds(3_600) }))
struct CourierCheckoutTests {
    private let shop = TestShop.current
    private let guest: Caller

    init() async throws {
        guest = try await shop.guest()
        try await shop.add(.calm(3))
    }

    private func rides() async throws -> [String] { try await shop.rows("SELECT id FROM rides").map { try $0.text(0) } }

    private func methods(to point: GeoPoint, for caller: Caller) async throws -> [ShippingMethod] {
        let query = "latitude=\(point.latitude)&longitude=\(point.longitude)"
        return try await caller.call(Contract.shippingMethods, query: query).good().items
    }

    @Test(arguments: [
        ("latitude=-33.8915&longitude=151.2767", true), ("country=AU&postalCode=2026", false),
        ("latitude=-33.8861&longitude=151.2111", true), ("latitude=-33.7117&longitude=150.3109", false),
        // Taxes follow the country of the address: one abroad with a place in the city would avoid them.
        ("country=AU&latitude=-33.8915&longitude=151.2767", true),
        ("country=US&latitude=-33.8915&longitude=151.2767", false),
    ])
    func `Kangaroo delivery comes last, only for known places in reach`(query: String, isOffered: Bool) async throws {
        let methods = try await guest.call(Contract.shippingMethods, query: query).good().items
        #expect(methods.map(\.id) == ["standard", "express"] + (isOffered ? ["kangaroo"] : []))
    }

    @Test(
        arguments: [
            (0, 1, "wallaby"), (20_000, 1, "wallaby"), (10_000, 2, "wallaby"), (20_001, 1, "wallaroo"),
            (30_000, 2, "wallaroo"), (60_001, 1, "kangaroo"), (150_000, 1, "kangaroo"), (150_001, 1, nil),
            (75_001, 2, nil),
        ] as [(Int, Int, String?)])
    func `The price is the fare of the smallest species that carries the weight; without one there is no offer`(
        grams: Int, quantity: Int, species: String?
    ) async throws {
        let anvil = FeedVariant(sku: "anvil", options: [:], price: Money(1_000, .eur), stock: 10, weightGrams: grams)
        try await shop.stock([FeedProduct(line: 1, handle: "anvil", name: "Anvil", variants: [anvil])])
        let customer = try await shop.customer()
        try await customer.add("anvil", quantity).good()
        let offered = try await methods(to: .bondi, for: customer).first { $0.id == "kangaroo" }
        let trip = RideWaypoints(pickupLocation: .shop, dropoffLocation: .bondi)
        let fare = try await customer.quotes(trip).first { $0.rideOptionID == species }?.fare
        #expect(offered?.price == fare)
        let chosen = try await customer.ship("kangaroo", to: .atBondi)
        if let fare {
            #expect(try chosen.good().totals.shipping == fare)
        } else {
            try chosen.problem(.unknownShippingMethod)
        }
    }

    @Test func `Kangaroo delivery to an address without a location or out of reach is refused`() async throws {
        try await guest.add("cap").good()
        try await guest.ship("kangaroo").problem(.locationRequired)
        try await guest.ship("kangaroo", to: .at(GeoPoint.shop.north(20_100))).problem(.unknownShippingMethod)
        try await guest.ship("kangaroo", to: .at(GeoPoint.shop.north(19_900))).good()
        try await guest.buyNow([.cap], by: "kangaroo", total: 1_000).problem(.locationRequired)
    }

    @Test func `A shop outside the kangaroos' city does not offer kangaroo delivery`() async throws {
        let kiel = GeoPoint(latitude: 54.3233, longitude: 10.1228)
        let (place, shipping) = (ShopPlace(name: "Elsewhere", location: kiel), ShopSettings.standard().shipping)
        let settings = ShopSettings(currency: .eur, country: "DE", place: place, shipping: shipping)
        try await TestShop.open(configure: { $0.shop = settings }) { shop in
            let guest = try await shop.guest()
            #expect(try await methods(to: kiel, for: guest).map(\.id) == ["standard", "express"])
            try await guest.add("cap").good()
            try await guest.ship("kangaroo", to: .at(kiel.north(500))).problem(.unknownShippingMethod)
        }
    }

    @Test func `A cart whose chosen method now needs a location can be read and changed`() async throws {
        try await guest.add("cap").good()
        try await guest.ship("standard").good()
        // As if chosen when the shop had another method of that name.
        try await shop.store.write { [id = try #require(guest.session?.id)] repositories in
            var cart = try #require(try repositories.carts.cart(ownerId: id))
            cart.shippingMethodId = "kangaroo"
            cart.version += 1
            #expect(try repositories.carts.save(cart))
        }
        let cart = try await guest.cart()
        #expect(cart.lines.map(\.sku) == ["cap"] && cart.shipping == nil)
        #expect(try await guest.add("cap").good().totals.items == Money(2_000, .eur))
        try await guest.checkout(total: 2_000).problem(.locationRequired)
        #expect(try await guest.ship("standard").good().shipping?.methodId == "standard")
    }

    @Test func `A repeated checkout requests one ride`() async throws {
        try await guest.add("cap").good()
        let total = try await guest.ship("kangaroo", to: .atBondi).good().totals.total.amount
        let answers = try await parallel(5) { _ in
            try await patiently { try await guest.checkout(total: total, key: "k") }
        }
        #expect(Set(answers.map(\.body)).count == 1)
        #expect(try await rides() == [#require(answers[0].good().rideId)])
    }

    @Test func `An order settled later requests one ride when it is paid`() async throws {
        let order = try await guest.orderByKangaroo(card: "tok_lost")
        #expect(order.status == .pending && order.rideId == nil)
        #expect(try await rides().isEmpty)
        shop.clock.advance(by: OrderSettlement.gracePeriod)
        _ = try await parallel(6) { _ in try await shop.services.checkout.settlement.settleAll() }
        let paid = try await guest.order(id: order.id)
        #expect(paid.status == .paid)
        #expect(try await rides() == [#require(paid.rideId)])
    }

    @Test func `A declined checkout requests no ride`() async throws {
        try await guest.add("cap").good()
        try await guest.ship("kangaroo", to: .atBondi).good()
        try await guest.checkout("tok_declined").problem(.paymentDeclined)
        #expect(try await rides().isEmpty)
    }
}
