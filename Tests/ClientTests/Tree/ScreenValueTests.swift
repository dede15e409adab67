import PouchApp
import PouchClient
import PouchCoordination
import PouchEntities
import PouchScreens
import PouchTesting
import Testing

struct ScreenFailureTests {
    private struct Odd: Error {}

    @Test func `messages that a screen cancelled, or that ended with it, show no failure`() {
        for error in [UndeliveredMessage.stopped, .cancelled] { #expect(ScreenFailure(showing: error) == nil) }
        #expect(ScreenFailure(showing: CancellationError()) == nil)
    }

    @Test func `all other errors have a text for people`() {
        let unhandled = UnhandledMessage(message: AddToCart.self, sender: "Screen", fileID: "A/B.swift", line: 1)
        #expect(ScreenFailure(showing: unhandled)?.text == "This action is not available here.")
        #expect(ScreenFailure(showing: Odd())?.text == "Something went wrong.")
        let error = DataError(.cartEmpty)
        #expect(ScreenFailure(showing: error)?.text == error.errorDescription)
        #expect(ScreenFailure(showing: error)?.advice == error.recoverySuggestion)
        let failure = ScreenFailure("No.", remedy: .review)
        #expect(ScreenFailure(showing: failure) == failure)
    }
}

struct VariantChoiceTests {
    @Test func `a variant is chosen when every option is`() {
        var choice = VariantChoice(TestShop.lily)
        #expect(choice.variant == nil && choice.open.map(\.name) == ["Colour", "Size"])
        choice.choose("Red", for: "Colour")
        #expect(choice.variant == nil && choice.open.map(\.name) == ["Size"])
        choice.choose("M", for: "Size")
        #expect(choice.variant?.options == ["Colour": "Red", "Size": "M"])
        choice.choose(nil, for: "Colour")
        #expect(choice.variant == nil)
    }

    @Test func `values that lead to nothing in stock are marked, by exact figures where known`() {
        let soldOut = TestShop.lily.variants.filter { $0.options["Colour"] == "Red" }
            .map { Availability(sku: $0.sku, price: $0.price, available: 0) }
        var choice = VariantChoice(TestShop.lily.with(soldOut))
        let colours = choice.values(of: TestShop.lily.options[0])
        #expect(colours.map(\.name) == ["Navy", "Red"])
        #expect(colours.map(\.isInStock) == [true, false])
        choice.choose("Red", for: "Colour")
        #expect(choice.values(of: TestShop.lily.options[1]).allSatisfy { !$0.isInStock })
        #expect(choice.values(of: TestShop.lily.options[0]).map(\.isChosen) == [false, true])
    }

    @Test func `a product without options needs no choice`() {
        let choice = VariantChoice(TestShop.rosa)
        #expect(choice.variant?.sku == "rosa-1")
        #expect(choice.variant?.available == 9)
    }
}
