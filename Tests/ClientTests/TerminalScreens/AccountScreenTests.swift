import PouchEntities
import PouchScreens
import PouchTerminal
import PouchTerminalScreens
import PouchTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct AccountScreenTests {
    private let shown = ScreenUnderTest()

    @Test func `signing in needs an address and a password, which is neither shown nor kept`() async throws {
        let screen = shown.show(shown.factory.makeSignInScreen())
        screen.email = "ann@example.com"
        shown.press(.down)
        shown.type("correct horse")
        #expect(shown.text.contains("› Password          •••••••••••••\n") && !shown.text.contains("horse"))
        try await shown.press(.enter, sends: SignIn(email: "ann@example.com", password: "correct horse"))
        try await shown.wait { !shown.text.contains("•") }
    }

    @Test func `signing in cannot be cancelled, since the guest's cart may already be merged`() async throws {
        let screen = shown.show(shown.factory.makeSignInScreen())
        screen.email = "ann@example.com"
        let gate = shown.shop.hold()
        shown.press(.down)
        shown.type("correct horse", .enter)
        _ = try await shown.messages(1)
        shown.press(.escape)
        #expect(shown.lines.last?.contains("please wait") == true)
        gate.open()
        try await shown.wait { !shown.text.contains("Signing in …") }
        #expect(!shown.text.contains("•"))
    }

    @Test func `a second factor's code is asked for once the shop wants it, and sent with the password`() async throws {
        let screen = shown.show(shown.factory.makeSignInScreen())
        screen.email = "ann@example.com"
        #expect(!shown.text.contains("Code"))
        shown.shop.failure = ScreenFailure(
            "This account needs a code.", remedy: .correct, fields: [.init(name: "code", text: "Enter the code.")])
        shown.press(.down)
        shown.type("correct horse", .enter)
        try await shown.wait(for: "This account needs a code.")
        shown.shop.failure = nil
        shown.press(.enter)
        #expect(shown.text.contains("› Code\n    Enter the code."))
        shown.type("123456")
        #expect(!shown.text.contains("Enter the code."))
        shown.press(.enter)
        #expect(
            try await shown.messages(2)[1]
                == AnyHashable(SignIn(email: "ann@example.com", password: "correct horse", code: "123456")))
        try await shown.wait { !shown.text.contains("Code") }
    }

    @Test func `a missing password is reported at its field`() {
        shown.show(shown.factory.makeSignInScreen())
        shown.type("ann@example.com", .enter, .enter)
        #expect(shown.text.contains("› Password\n    This field is required."))
        #expect(shown.shop.messages.isEmpty)
    }

    @Test func `a failure is shown until the user confirms it, and each invalid field shows its reason`() async throws {
        shown.show(shown.factory.makeRegisterScreen())
        for text in ["Ann", "ann@example.com", "", "short", "short"] {
            shown.type(text)
            if text != "short" { shown.press(.down) } else { shown.press(.tab) }
        }
        shown.shop.failure = ScreenFailure(
            "Some fields are invalid.", advice: "Correct them and try again.", remedy: .correct,
            fields: [.init(name: "password", text: "It needs 8 characters.")])
        try await shown.press(.enter, sends: Register(name: "Ann", email: "ann@example.com", password: "short"))
        try await shown.wait(for: "Some fields are invalid.")
        #expect(shown.text.contains("Correct them and try again."))
        #expect(shown.lines.last == "Enter OK")
        shown.press(.character("x"), .enter)
        #expect(!shown.text.contains("Some fields"))
        #expect(shown.text.contains("› Password          •••••\n    It needs 8 characters."))
    }

    @Test func `different passwords and missing fields are refused before anything is sent`() {
        shown.show(shown.factory.makeRegisterScreen())
        shown.press(.down, .down, .down, .down, .enter)
        #expect(shown.text.contains("› Name\n    This field is required."))
        shown.type("Ann", .down)
        shown.type("ann@example.com", .down, .down)
        shown.type("long enough", .down)
        shown.type("long enouhg", .enter)
        #expect(shown.text.contains("The two passwords differ."))
        #expect(shown.shop.messages.isEmpty)
    }

    @Test func `the profile can be changed, and leads to the orders and to signing out`() async throws {
        let screen = shown.show(shown.factory.makeProfileScreen())
        screen.profile = LoadState(Profile(id: "acc_1", name: "Ann", email: "ann@example.com", mobileNumber: "1"))
        try await shown.press(.enter, sends: ShopPage.orders, then: "q leave")
        shown.press(.down, .down)
        shown.type("e")
        try await shown.press(.down, .backspace, .down, .enter, sends: UpdateProfile(name: "Anne", mobileNumber: ""))
        try await shown.wait(for: "Saved.")
        shown.press(.enter, .pageUp, .down, .enter)
        #expect(shown.text.contains("Sign out?"))
        try await shown.press(.enter, sends: SignOut())
    }

    @Test func `the password is changed with the current one, an account is deleted after a question`() async throws {
        let screen = shown.show(shown.factory.makeProfileScreen())
        screen.profile = LoadState(Profile(id: "acc_1", name: "Ann", email: "ann@example.com", mobileNumber: "1"))
        shown.press(.down, .down, .down, .down, .down)
        shown.type("old secret", .down)
        shown.type("new secret")
        try await shown.press(.down, .enter, sends: ChangePassword(from: "old secret", to: "new secret"))
        try await shown.wait(for: "Your password has been changed")
        #expect(!shown.text.contains("secret") && !shown.text.contains("•"))
        shown.press(.enter, .down, .enter)
        #expect(shown.text.contains("This field is required."))
        shown.type("new secret", .down, .down, .down, .enter)
        #expect(shown.text.contains("Delete the account permanently?"))
        // Pressed twice by mistake.
        shown.press(.enter)
        #expect(shown.lines.last == "y delete it  Esc keep it")
        try await shown.press(.character("y"), sends: DeleteAccount(password: "new secret"))
    }
}

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct OrderScreenTests {
    private let shown = ScreenUnderTest()

    @Test func `a confirmation shows whether the order is paid, and leads to its status`() async throws {
        let screen = shown.show(shown.factory.makeConfirmationScreen())
        screen.order = LoadState(Sample.order(.pending))
        #expect(shown.text.contains("Its payment is still pending"))
        screen.order = LoadState(Sample.order())
        #expect(shown.text.contains("placed and paid. Thank you!") && shown.text.contains("P-10001  paid"))
        try await shown.press(.enter, sends: ShowOrderStatus())
    }

    @Test func `the status shows the steps an order has reached, and any other status after them`() {
        let screen = shown.show(shown.factory.makeStatusScreen())
        screen.order = LoadState(Sample.order())
        #expect(
            shown.lines[3...6] == [
                "  ● placed  2027-01-15 08:00", "  ● paid  2027-01-15 08:00", "  ○ on its way", "  ○ delivered",
            ])
        screen.order = LoadState(Sample.order(.cancelled))
        #expect(shown.text.contains("● cancelled  2027-01-15 08:00"))
    }

    @Test func `orders are listed with their time and status, and open`() async throws {
        let screen = shown.show(shown.factory.makeOrdersScreen())
        screen.orders = LoadState(Page(items: [Sample.order()], nextCursor: "next"))
        #expect(shown.lines[1] == "› P-10001  2027-01-15 08:00  paid                                   391.87 EUR")
        try await shown.press(.enter, sends: ShopPage.order(id: "ord_1"), then: "Enter open")
        try await shown.press(.down, .enter, sends: ShowMoreOrders())
        screen.orders = LoadState(Page(items: []))
        #expect(shown.text.contains("There are no orders yet."))
    }

    @Test func `an order is cancelled after a question if its status allows it; a line is bought again`() async throws {
        let screen = shown.show(shown.factory.makeOrderScreen())
        screen.order = LoadState(Sample.order())
        try await shown.press(.enter, sends: Purchased(sku: "wool-scarf", quantity: 3), then: "q leave")
        shown.press(.end, .enter)
        #expect(shown.text.contains("Cancel order P-10001? It will be refunded in full."))
        try await shown.press(.character("n"), .enter, .character("y"), sends: CancelOrder())
        screen.order = LoadState(Sample.order(.cancelled))
        #expect(!shown.text.contains("Cancel order"))
    }

    @Test func `an order that a kangaroo brings shows the kangaroo and the minutes left`() {
        let screen = shown.show(shown.factory.makeOrderScreen())
        screen.order = LoadState(Sample.order())
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

    @Test func `after a failed delivery other methods are offered with prices, and chosen if confirmed`() async throws {
        let screen = shown.show(shown.factory.makeOrderScreen())
        let failure = DeliveryFailure(reason: .noKangaroo, methods: [Sample.kangaroo, Sample.standard])
        screen.order = LoadState(Sample.order(deliveryFailure: failure))
        #expect(shown.text.contains("No kangaroo was available to pick it up."))
        #expect(shown.lines.contains { $0.hasPrefix("› Kangaroo  today") && $0.hasSuffix("7.00 EUR") })
        #expect(shown.lines.contains { $0.hasPrefix("  Standard  3 to 5 days") && $0.hasSuffix("4.90 EUR") })
        shown.press(.down, .enter, .enter)
        #expect(shown.text.contains("Send order P-10001 by Standard?"))
        try await shown.press(.character("y"), sends: ChangeDelivery(methodId: "standard"))
    }
}
