import PouchEntities
import PouchScreens
import PouchTerminal
import PouchTerminalScreens
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct OrderScreenTests {
    @Test("Orders are listed with when and how they stand, and open")
    func orders() async throws {
        let shown = ScreenUnderTest()
        let screen = shown.factory.makeOrdersScreen()
        screen.orders = LoadState(Page(items: [Sample.order()], nextCursor: "next"))
        shown.show(screen)
        #expect(shown.lines[1] == "› P-10001  2027-01-15 08:00  paid                                   391.87 EUR")
        shown.press(.enter)
        #expect(try await shown.messages(1) == ["show order(id: \"ord_1\")"])
        try await shown.wait(for: "Enter open")
        shown.press(.down, .enter)
        #expect(try await shown.messages(2)[1] == "more orders")
        screen.orders = LoadState(Page(items: []))
        #expect(shown.text.contains("There are no orders yet."))
    }

    @Test("An order is cancelled after a question, as long as it can be; a line is bought again")
    func order() async throws {
        let shown = ScreenUnderTest()
        let screen = shown.factory.makeOrderScreen()
        screen.order = LoadState(Sample.order())
        shown.show(screen)
        shown.press(.enter)
        #expect(try await shown.messages(1) == ["buy 3 wool-scarf"])
        try await shown.wait(for: "q leave")
        shown.press(.end, .enter)
        #expect(shown.text.contains("Cancel the order P-10001? It is refunded in full."))
        shown.press(.character("n"))
        shown.press(.enter, .character("y"))
        #expect(try await shown.messages(2)[1] == "cancel")
        screen.order = LoadState(Sample.order(.cancelled))
        #expect(!shown.text.contains("Cancel the order"))
    }
}
