import ClientTesting
import PouchEntities
import PouchScreens
import PouchTerminal
import PouchTerminalScreens
import PouchTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct OrderScreenTests {
    private let shown = ScreenUnderTest()

    @Test("A confirmation shows whether the order is paid, and leads to its status")
    func confirmation() async throws {
        let screen = shown.factory.makeConfirmationScreen()
        screen.order = LoadState(Sample.order(.pending))
        shown.show(screen)
        #expect(shown.text.contains("Its payment is still pending"))
        screen.order = LoadState(Sample.order())
        #expect(shown.text.contains("placed and paid. Thank you!"))
        #expect(shown.text.contains("P-10001  paid"))
        shown.press(.enter)
        #expect(try await shown.messages(1) == [ShowOrderStatus()])
    }

    @Test("The status shows the steps an order has reached, and any other status after them")
    func status() {
        let screen = shown.factory.makeStatusScreen()
        screen.order = LoadState(Sample.order())
        shown.show(screen)
        #expect(
            shown.lines[3...6] == [
                "  ● placed  2027-01-15 08:00", "  ● paid  2027-01-15 08:00", "  ○ on its way", "  ○ delivered",
            ])
        screen.order = LoadState(Sample.order(.cancelled))
        #expect(shown.text.contains("● cancelled  2027-01-15 08:00"))
    }

    @Test("Orders are listed with their time and status, and open")
    func orders() async throws {
        let screen = shown.factory.makeOrdersScreen()
        screen.orders = LoadState(Page(items: [Sample.order()], nextCursor: "next"))
        shown.show(screen)
        #expect(shown.lines[1] == "› P-10001  2027-01-15 08:00  paid                                   391.87 EUR")
        shown.press(.enter)
        #expect(try await shown.messages(1) == [ShopPage.order(id: "ord_1")])
        try await shown.wait(for: "Enter open")
        shown.press(.down, .enter)
        #expect(try await shown.messages(2)[1] == ShowMoreOrders())
        screen.orders = LoadState(Page(items: []))
        #expect(shown.text.contains("There are no orders yet."))
    }

    @Test("An order can be cancelled after a question while its status allows it, and a line can be bought again")
    func order() async throws {
        let screen = shown.factory.makeOrderScreen()
        screen.order = LoadState(Sample.order())
        shown.show(screen)
        shown.press(.enter)
        #expect(try await shown.messages(1) == [Purchased(sku: "wool-scarf", quantity: 3)])
        try await shown.wait(for: "q leave")
        shown.press(.end, .enter)
        #expect(shown.text.contains("Cancel order P-10001? It will be refunded in full."))
        shown.press(.character("n"))
        shown.press(.enter, .character("y"))
        #expect(try await shown.messages(2)[1] == CancelOrder())
        screen.order = LoadState(Sample.order(.cancelled))
        #expect(!shown.text.contains("Cancel order"))
    }

    @Test("An order that a kangaroo brings shows the kangaroo and the minutes left")
    func ride() {
        let screen = shown.factory.makeOrderScreen()
        screen.order = LoadState(Sample.order())
        shown.show(screen)
        for (ride, text) in [
            (Ride.sample(.requested), "Looking for a kangaroo."),
            (Ride.sample(.accepted).moved(to: -33.8, etaSeconds: 400), "Skippy is coming to pick it up  7 min"),
            (Ride.sample(.inProgress).moved(to: -33.8, etaSeconds: 10), "Skippy is on the way to you  1 min"),
        ] {
            screen.ride = ride
            #expect(shown.text.contains(text))
        }
        screen.ride = Ride.sample(.completed)
        #expect(!shown.text.contains("Skippy"))
    }

    @Test("After a failed delivery, other methods are offered with their prices, and one is chosen after a question")
    func deliveryFailure() async throws {
        let screen = shown.factory.makeOrderScreen()
        screen.order = LoadState(
            Sample.order(
                deliveryFailure: DeliveryFailure(
                    reason: .noKangaroo,
                    methods: [
                        ShippingMethod(id: "kangaroo", name: "Kangaroo", price: Fixture.euros(700), estimate: "today"),
                        ShippingMethod(
                            id: "standard", name: "Standard", price: Fixture.euros(490), estimate: "3 to 5 days"),
                    ])))
        shown.show(screen)
        #expect(shown.text.contains("No kangaroo was available to pick it up."))
        #expect(shown.lines.contains { $0.hasPrefix("› Kangaroo  today") && $0.hasSuffix("7.00 EUR") })
        #expect(shown.lines.contains { $0.hasPrefix("  Standard  3 to 5 days") && $0.hasSuffix("4.90 EUR") })
        shown.press(.down, .enter, .enter)
        #expect(shown.text.contains("Send order P-10001 by Standard?"))
        shown.press(.character("y"))
        #expect(try await shown.messages(1) == [ChangeDelivery(methodId: "standard")])
    }
}
