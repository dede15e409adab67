import ClientTesting
import Foundation
import PouchApp
import PouchClient
import PouchTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct BrowsingTests {
    private let test: ShopUnderTest

    init() throws { test = try ShopUnderTest() }

    @Test func `home shows promotions, season and categories`() async throws {
        let home: RecordingHomeScreen = try await test.top { $0.promotions.value != nil && $0.categories.value != nil }
        #expect(home.promotions.value?.map(\.product.handle) == ["rosa", "lily"])
        #expect(home.categories.value?.map(\.id) == ["hats"] && home.season?.name == "Spring")
        #expect(home.status.visitor == .signedOut)
    }

    @Test func `the first screen is shown before the managers exist, and is filled when they do`() async throws {
        let test = try ShopUnderTest(isReady: false)
        let home = try await test.top(RecordingHomeScreen.self)
        #expect(home.promotions.isLoading && home.promotions.value == nil)
        #expect(test.shop.requests.isEmpty)
        test.app.dependency = AppDependency(test.client)
        try await test.top(RecordingHomeScreen.self) { $0.promotions.value != nil }
    }

    @Test func `a message waits until the managers exist, where the original answered with no data`() async throws {
        let test = try ShopUnderTest(isReady: false)
        let home = try await test.top(RecordingHomeScreen.self)
        let refresh = Task { try await home.send(Refresh()) }
        let badge = Task { try await home.send(EditCart.add(sku: "rosa-1", quantity: 1)) }
        await Task.yield()
        test.app.dependency = AppDependency(test.client)
        try await refresh.value
        #expect(home.promotions.value?.count == 2)
        #expect(try await badge.value.unitCount == 1)
    }

    @Test func `a failure is shown with a retry, which it does not block`() async throws {
        let test = try ShopUnderTest(isReady: false)
        test.shop.connection = .down
        test.app.dependency = AppDependency(test.client)
        let home = try await test.top(RecordingHomeScreen.self)
        try await test.record.until { home.promotions.failure != nil && home.categories.failure != nil }
        #expect(home.promotions.failure?.remedy == .retry)
        #expect(home.promotions.failure?.text == "The server cannot be reached.")
        test.shop.connection = .up
        try await home.send(Refresh())
        #expect(home.promotions.value?.count == 2 && home.promotions.failure == nil)
    }

    @Test func `a category leads to a listing, which is narrowed in place and read page by page`() async throws {
        test.shop.change { $0.pageSize = 1 }
        let hats = ShopPage.listing(ProductQuery(category: "hats"))
        let listing = try await test.open(hats, RecordingListingScreen.self) { $0.products.value != nil }
        #expect(listing.products.value?.items.map(\.handle) == ["rosa"])
        #expect(listing.products.value?.facets?.first?.values.first?.count == 2)
        try await test.record.until { listing.categories.map(\.name) == ["Hats"] }
        try await test.record.until { listing.seasons.map(\.name) == ["Spring"] }
        try await test.record.until { listing.themes.map(\.name) == ["Meadow"] }
        // Two messages at once load one page.
        async let more: Void = listing.send(ShowMoreProducts())
        try await listing.send(ShowMoreProducts())
        try await more
        #expect(listing.products.value?.items.map(\.handle) == ["rosa", "lily"])
        #expect(listing.products.value?.facets != nil)
        try await listing.send(ShowMoreProducts())
        #expect(listing.products.value?.items.count == 2)
        try await listing.send(NarrowList(to: ProductQuery(search: "l")))
        #expect(listing.products.value?.items.map(\.handle) == ["lily"])
        #expect(test.kinds == ["Home", "Listing"])
    }

    @Test func `a current page does not make the pages before it current`() async throws {
        test.shop.change { $0.pageSize = 1 }
        let listing = try await test.open(.listing(ProductQuery()), RecordingListingScreen.self) {
            $0.products.value != nil && !$0.products.isLoading
        }
        // As from the cache of responses, whose cursors are the server's.
        listing.products = LoadState(listing.products.value, asOf: .sample)
        try await listing.send(ShowMoreProducts())
        #expect(listing.products.value?.items.map(\.handle) == ["rosa", "lily"])
        #expect(listing.products.asOf == .sample)
    }

    @Test func `an answer to an earlier query does not replace that to a later one`() async throws {
        let _: RecordingHomeScreen = try await test.top { $0.promotions.value != nil && $0.categories.value != nil }
        let listing: RecordingListingScreen = try await test.open(.listing(ProductQuery())) { $0.products.value != nil }
        let gate = test.shop.hold(Contract.products)
        let earlier = Task { try await listing.send(NarrowList(to: ProductQuery(search: "r"))) }
        await gate.held(1)
        test.shop.answerItself(Contract.products)
        try await listing.send(NarrowList(to: ProductQuery(search: "l")))
        gate.open()
        try await earlier.value
        #expect(listing.products.value?.items.map(\.handle) == ["lily"])
    }

    @Test func `a product has exact stock figures, and adding it updates the badge on every screen`() async throws {
        test.shop.answer(Contract.product, with: TestShop.lily)
        test.shop.setStock("lily-1", 7)
        let product = try await test.openProduct("lily")
        try await test.top(RecordingProductScreen.self) { $0.product.value?.variants.first?.available == 7 }
        #expect(try await product.send(EditCart.add(sku: "lily-2", quantity: 3)).unitCount == 3)
        try await test.top(RecordingProductScreen.self) { $0.status.cart.unitCount == 3 && $0.status.visitor == .guest }
        test.surface.goBack()
        try await test.top(RecordingHomeScreen.self) { $0.status.cart.unitCount == 3 }
    }

    @Test func `a covered screen is not updated until it is on top again`() async throws {
        let home = try await test.top(RecordingHomeScreen.self)
        let cart = try await test.fillCart()
        #expect(home.status.cart.unitCount == 2)
        try await cart.send(EditCart.set(sku: "rosa-1", quantity: 5))
        try await test.top(RecordingCartScreen.self) { $0.status.cart.unitCount == 5 }
        #expect(home.status.cart.unitCount == 2)
        test.surface.goBack(2)
        try await test.top(RecordingHomeScreen.self) { $0.status.cart.unitCount == 5 }
    }

    @Test func `home can be reached again after it was left by back navigation`() async throws {
        let home = try await test.top(RecordingHomeScreen.self)
        test.surface.goBack()
        #expect(test.app.children.isEmpty)
        try await test.app.open(.product(handle: "rosa"))
        try await test.top(RecordingProductScreen.self) { $0.product.value != nil }
        #expect(test.kinds == ["Home", "Product"])
        #expect(test.surface.screens.first !== home)
    }

    @Test func `a notice behind an app's own screen is shown on the shop's screen below`() async throws {
        let home = try await test.top(RecordingHomeScreen.self)
        let (own, _) = test.app.startFlow(on: test.app.stack)
        test.app.notify(Notice("Your session has ended."))
        #expect(home.notice?.text == "Your session has ended.")
        own.finish()
        try await home.send(ShopPage.signIn)
        test.app.notify(Notice("The shop is closed."))
        #expect(home.notices.map(\.text) == ["Your session has ended.", "The shop is closed."])
    }

    @Test func `messages beyond the queue's limit say that the shop is starting`() async throws {
        let test = try ShopUnderTest(isReady: false)
        let home = try await test.top(RecordingHomeScreen.self)
        let waiting = (0..<32).map { _ in Task { try await home.send(EditCart.add(sku: "a", quantity: 1)) } }
        let late = Task { try await home.send(EditCart.clear) }
        await #expect(throws: UndeliveredMessage.queueFull) { try await late.value }
        let failure = ScreenFailure(showing: UndeliveredMessage.queueFull)
        #expect(failure?.text == "The shop is still starting." && failure?.remedy == .retry)
        test.app.dependency = AppDependency(test.client)
        for task in waiting { _ = try await task.value }
        #expect(test.shop.items(of: Shopper.guest.owner) == ["a 32"])
    }

    @Test func `a screen gets images by a message, even before the managers exist`() async throws {
        let test = try ShopUnderTest(isReady: false)
        let home = try await test.top(RecordingHomeScreen.self)
        test.shop.change { $0.assets["rosa.svg"] = Data("rosa".utf8) }
        let image = ProductImage(url: "/assets/rosa.svg", alt: "")
        let early = Task { try await home.send(LoadImage(image)) }
        await Task.yield()
        test.app.dependency = AppDependency(test.client)
        #expect(try await early.value == Data("rosa".utf8))
        let nowhere = ProductImage(url: "rosa.svg", alt: "")
        await #expect(throws: ScreenFailure.self) { try await home.send(LoadImage(nowhere)) }
    }

    @Test func `two shops in one process share nothing`() async throws {
        let other = TestShop.sample(sellsAnySKU: true)
        other.change { $0.promotions.removeFirst() }
        let second = try ShopUnderTest(.ada, shop: other)
        _ = try await test.fillCart()
        let home = try await second.top(RecordingHomeScreen.self) { $0.promotions.value != nil }
        try await second.record.until { home.status.visitor != .signedOut }
        #expect(home.promotions.value?.map(\.product.handle) == ["lily"] && home.status.visitor != .guest)
        #expect(home.status.cart.unitCount ?? 0 == 0)
        #expect(test.kinds == ["Home", "Product", "Cart"])
        #expect(second.kinds == ["Home"])
    }
}

struct ScreenFailureTests {
    private struct Odd: Error {}

    @Test func `messages that a screen cancelled, or that ended with it, show no failure`() {
        for error in [UndeliveredMessage.stopped, .cancelled] { #expect(ScreenFailure(showing: error) == nil) }
        #expect(ScreenFailure(showing: CancellationError()) == nil)
    }

    @Test func `all other errors have a text for people`() {
        let unhandled = UnhandledMessage(message: EditCart.self, sender: "Screen", fileID: "A/B.swift", line: 1)
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
        #expect(choice.variant == nil && choice.unchosenOptions.map(\.name) == ["Colour", "Size"])
        choice.choose("Red", for: "Colour")
        #expect(choice.variant == nil && choice.unchosenOptions.map(\.name) == ["Size"])
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
        #expect(colours.map(\.name) == ["Navy", "Red"] && colours.map(\.isInStock) == [true, false])
        choice.choose("Red", for: "Colour")
        #expect(choice.values(of: TestShop.lily.options[1]).allSatisfy { !$0.isInStock })
        #expect(choice.values(of: TestShop.lily.options[0]).map(\.isChosen) == [false, true])
    }

    @Test func `a product without options needs no choice`() {
        let choice = VariantChoice(TestShop.rosa)
        #expect(choice.variant?.sku == "rosa-1" && choice.variant?.available == 9)
    }
}
