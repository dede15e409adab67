import ClientTesting
import Foundation
import PouchClient
import PouchCoordination
import PouchNetwork
import PouchTesting
import PouchWire
import Testing

/// The article “Sign in”.
@Suite(.timeLimit(.minutes(5)))
struct SignInTests {
    private let shop = TestShop.sample(sellsAnySKU: true)
    private let pouch: Pouch

    init() throws {
        let server = try #require(URL(string: "http://127.0.0.1"))
        pouch = Pouch(server: server, transport: shop)
    }

    @Test func `a sign-in greets by name`() async {
        #expect(await signIn(email: "ada@example.org", password: "12345678", to: pouch) == "Hello, Ada.")
    }

    @Test func `a wrong password is reported`() async {
        shop.change { $0.passwords["ada@example.org"] = "12345678" }
        let text = await signIn(email: "ada@example.org", password: "87654321", to: pouch)
        #expect(text == "The e-mail address or password is wrong.")
    }

    @Test func `the stream shows the session and its end`() async throws {
        _ = await signIn(email: "ada@example.org", password: "12345678", to: pouch)
        let (shown, continuation) = AsyncStream.makeStream(of: String?.self)
        let following = Task { try await followAccount(of: pouch) { continuation.yield($0?.profile?.name) } }
        defer { following.cancel() }
        var names = shown.makeAsyncIterator()
        #expect(await names.next() == "Ada")
        #expect(await signOut(of: pouch) == "Goodbye.")
        #expect(await names.next() == .some(nil))
    }

    @Test func `signing out works without the shop`() async {
        _ = await signIn(email: "ada@example.org", password: "12345678", to: pouch)
        shop.connection = .down
        #expect(await signOut(of: pouch) == "You are signed out here. The server cannot be reached. Nothing was sent.")
        #expect(pouch.account.session == nil)
    }
}

/// The article “Take a ride”.
@Suite(.timeLimit(.minutes(5)))
struct TakeARideTests {
    private let rides = TestShop()
    private let store = MemoryStore()

    /// Another process on the same device.
    private func open() throws -> Pouch {
        Pouch(
            server: try #require(URL(string: "http://127.0.0.1")), transport: rides,
            sessionStore: MemorySessionStore(Fixture.data(Shopper.ada.session)), store: store)
    }

    @Test func `fares to a place are found by its name, and one of them is taken`() async throws {
        let pouch = try open()
        let quotes = try await fares(from: RideWaypoints.sample().pickupLocation, to: "opera", in: pouch)
        #expect(quotes == [FareQuote.sample()])
        let ride = try await takeRide(RideWaypoints.sample(), for: FareQuote.sample(), in: pouch)
        #expect(ride?.status == .requested)
        rides.failNext(Contract.requestRide, with: .problem(.rideInProgress))
        #expect(try await takeRide(RideWaypoints.sample(), for: FareQuote.sample(), in: pouch) == ride)
    }

    @Test func `a ride is followed to its receipt`() async throws {
        rides.put(Ride.sample(.requested))
        let (shown, continuation) = AsyncStream.makeStream(of: String.self)
        let pouch = try open()
        async let receipt = followRide("rid_1", in: pouch) { continuation.yield($0) }
        let connection = try await rides.rideStream()
        connection.send(status: Ride.sample(.accepted))
        rides.put(Ride.sample(.completed))
        connection.send(status: Ride.sample(.completed))
        #expect(try await receipt == RideReceipt.sample(of: Ride.sample(.completed)))
        continuation.finish()
        #expect(
            await shown.reduce(into: []) { $0.append($1) }
                == ["No driver yet: requested", "Skippy: accepted, 1 min", "No driver yet: completed"])
    }

    @Test func `a request whose answer was lost is settled by a later process, once`() async throws {
        rides.connection = .losesAnswers
        let first = try open()
        await #expect(throws: DataError.self) {
            try await takeRide(RideWaypoints.sample(), for: FareQuote.sample(), in: first)
        }
        rides.connection = .up
        let later = try open()
        #expect(try await settleRideRequests(of: later)?.id == "rid_1")
        #expect(try await later.rides.rides().items.count == 1)
        #expect(try await later.rides.unresolvedRequests().isEmpty)
    }
}

/// The article “Write a coordinator”.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct WriteACoordinatorTests {
    private let surface = RecordingSurface()

    @Test func `a book is shown over the shelf, lent, and removed by back navigation`() async throws {
        let library = openLibrary(on: surface)
        library.dependency = Library(shelf: Shelf())
        let shelf = try #require(surface.screens.last as? ShelfScreen)
        try await shelf.titleWasPressed("Emma")
        let book = try #require(surface.top.screens.last as? BookScreen)
        #expect(book.title == "Emma")
        await book.lendWasPressed()
        #expect(book.text == "Enjoy it.")
        await book.lendWasPressed()
        #expect(book.text == "This book is lent.")
        weak var child: Coordinator<Library>?
        child = library.children.last
        #expect(child != nil)
        surface.top.goBack()
        #expect(library.children.isEmpty)
        #expect(child == nil)
        #expect(surface.top.screens.last is ShelfScreen)
    }

    @Test func `a book can be requested before the shelf exists`() async throws {
        let library = openLibrary(on: surface)
        let shelf = try #require(surface.screens.last as? ShelfScreen)
        try await shelf.titleWasPressed("Emma")
        let book = try #require(surface.top.screens.last as? BookScreen)
        async let pressed: Void = book.lendWasPressed()
        await Task.yield()
        #expect(book.text.isEmpty)
        library.dependency = Library(shelf: Shelf())
        await pressed
        #expect(book.text == "Enjoy it.")
    }
}
