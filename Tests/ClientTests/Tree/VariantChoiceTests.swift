import PouchEntities
import PouchScreens
import Testing

struct VariantChoiceTests {
    @Test func `a variant is there when every option is chosen, and not before`() {
        var choice = VariantChoice(StubShop.lily)
        #expect(choice.variant == nil && choice.open.map(\.name) == ["Colour", "Size"])
        choice.choose("Red", for: "Colour")
        #expect(choice.variant == nil && choice.open.map(\.name) == ["Size"])
        choice.choose("M", for: "Size")
        #expect(choice.variant?.options == ["Colour": "Red", "Size": "M"])
        choice.choose(nil, for: "Colour")
        #expect(choice.variant == nil)
    }

    @Test func `values that lead to nothing in stock are marked, by the exact figures where there are any`() {
        let soldOut = StubShop.lily.variants.filter { $0.options["Colour"] == "Red" }
            .map { Availability(sku: $0.sku, price: $0.price, available: 0) }
        var choice = VariantChoice(StubShop.lily, availability: soldOut)
        let colours = choice.values(of: StubShop.lily.options[0])
        #expect(colours.map(\.name) == ["Navy", "Red"])
        #expect(colours.map(\.isInStock) == [true, false])
        choice.choose("Red", for: "Colour")
        #expect(choice.values(of: StubShop.lily.options[1]).allSatisfy { !$0.isInStock })
        #expect(choice.values(of: StubShop.lily.options[0]).map(\.isChosen) == [false, true])
    }

    @Test func `a product without options is chosen already`() {
        let choice = VariantChoice(StubShop.rosa)
        #expect(choice.variant?.sku == "rosa-1")
        #expect(choice.available(StubShop.rosa.variants[0]) == 1)
    }
}
