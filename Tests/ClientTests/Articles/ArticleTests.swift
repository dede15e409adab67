import Foundation
import PouchClient
import PouchCoordination
import PouchNetwork
import PouchTesting
import PouchWire
import Synchronization
import Testing

/// The article “Sign in”.
@Suite(.timeLimit(.minutes(1)))
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
        #expect(text == "The e-mail address or the password is wrong.")
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
        shop.line = .down
        #expect(await signOut(of: pouch) == "You are signed out here. The server cannot be reached.")
        #expect(pouch.account.session == nil)
    }
}

/// The article “Take a ride”.
@Suite(.timeLimit(.minutes(1)))
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
        rides.failNext(.requestRide, with: .problem(.rideInProgress))
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
        rides.line = .losesAnswers
        let first = try open()
        await #expect(throws: DataError.self) {
            try await takeRide(RideWaypoints.sample(), for: FareQuote.sample(), in: first)
        }
        rides.line = .up
        let later = try open()
        #expect(try await settleRideRequests(of: later)?.id == "rid_1")
        #expect(try await later.rides.rides().items.count == 1)
        #expect(try await later.rides.unresolvedRequests().isEmpty)
    }
}

/// The article “Watch the requests”.
@Suite(.timeLimit(.minutes(1)))
struct WatchTheRequestsTests {
    private let shop = TestShop.sample(sellsAnySKU: true)
    private let server: URL

    init() throws {
        server = try #require(URL(string: "http://127.0.0.1"))
    }

    @Test func `each request is a line with a level and metadata, through a proxy that wants a password`() async throws
    {
        let lines = Mutex<[(level: LogLevel, message: String, metadata: [String: String])]>([])
        let proxy = StubTransport { [shop] request throws(NetworkError) in
            guard request.headers["Authorization"] == "Basic YWRhOnBhc3M=", request.headers["User-Agent"] != nil else {
                return NetworkResponse(status: 401, headers: ["WWW-Authenticate": "Basic realm=\"shop\""])
            }
            return try await shop.send(request).collected()
        }
        let pouch = try #require(
            makeClient(server: server, user: "ada", password: "pass", transport: proxy) { level, message, metadata in
                lines.withLock { $0.append((level, message, metadata)) }
            })
        _ = try await pouch.catalog.products(ProductQuery(search: "rosa"))
        shop.answer(.availability) { _ in .text("", status: 500) }
        _ = try? await pouch.catalog.availability(of: ["rosa-1"])
        let logged = lines.withLock { $0 }
        #expect(logged.map(\.level) == [.debug, .warning])
        #expect(
            logged.map(\.message) == [
                "GET http://127.0.0.1/v1/products?q=*", "GET http://127.0.0.1/v1/availability?sku=*",
            ])
        #expect(logged[0].metadata["status"] == "200" && logged[0].metadata["attempts"] == "1")
        #expect(logged[1].metadata["status"] == "500")
    }

    @Test func `a name that Basic cannot encode makes no client`() {
        #expect(makeClient(server: server, user: "a:b", password: "c", log: { _, _, _ in }) == nil)
    }
}

/// The article “Write a coordinator”.
@MainActor
@Suite(.timeLimit(.minutes(1)))
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

/// The article “Write a transport”.
@Suite(.timeLimit(.minutes(1)))
struct WriteATransportTests {
    /// A library with prepared answers.
    private final class FakeLibrary: WebLibrary {
        private struct Answer: WebAnswer {
            let status = 200
            let headers = [("Content-Type", "text/plain")]
            let pieces: Pieces

            func nextPiece() async throws -> Data? { try await pieces.next() }
        }

        private actor Pieces {
            private var rest: [Result<String, WebFailure>]

            init(_ pieces: [Result<String, WebFailure>]) { rest = pieces.reversed() }

            func next() throws -> Data? { Data(try rest.popLast()?.get().utf8 ?? "".utf8).nonEmpty }
        }

        private let outcomes: Mutex<[Result<[Result<String, WebFailure>], WebFailure>]>
        private let log = Mutex<[String]>([])

        /// - Parameter outcomes: the outcomes of the calls: the pieces of a body, or an error.
        init(_ outcomes: [Result<[Result<String, WebFailure>], WebFailure>]) {
            self.outcomes = Mutex(outcomes.reversed())
        }

        var requests: [String] { log.withLock { $0 } }

        func open(
            _ url: URL, method: String, headers: [(String, String)], body: Data?
        ) async throws -> any WebAnswer {
            log.withLock { $0.append("\(method) \(url.path()) \(headers.map { "\($0.0): \($0.1)" })") }
            let outcome = outcomes.withLock { $0.popLast() } ?? .failure(.noConnection)
            return Answer(pieces: Pieces(try outcome.get()))
        }
    }

    private func url() throws -> URL { try #require(URL(string: "http://127.0.0.1/a")) }

    @Test func `request and answer pass through a library, with the addition of another transport`() async throws {
        let library = FakeLibrary([.success([.success("one "), .success("two")])])
        let transport = NamedTransport(name: "kiosk", next: LibraryTransport(library: library))
        #expect(try await fetch(url(), over: transport) == Data("one two".utf8))
        #expect(library.requests == [#"GET /a ["User-Agent: kiosk"]"#])
    }

    @Test func `a failure says whether something was sent, before the answer and within it`() async throws {
        let library = FakeLibrary([
            .failure(.wrongCertificate), .success([.success("one"), .failure(.connectionBroke)]),
        ])
        let transport = LibraryTransport(library: library)
        await #expect(throws: NetworkError.untrusted("the certificate is wrong")) {
            try await transport.response(to: NetworkRequest(url: url()))
        }
        await #expect(throws: NetworkError.connectionLost("the connection broke")) {
            try await transport.response(to: NetworkRequest(url: url()))
        }
    }

    @Test func `a request that was never sent is repeated, also a POST`() async throws {
        let library = FakeLibrary([.failure(.noConnection), .success([.success("done")])])
        var retries = RetryPolicy()
        retries.jitter = { _ in .zero }
        let session = NetworkSession(LibraryTransport(library: library), retries: retries)
        let payload = await NetworkOperation(NetworkRequest(url: try url(), method: "POST"), in: session).run()
        #expect(payload.data == Data("done".utf8))
        #expect(payload.attempts.count == 2)
    }
}

extension Data {
    fileprivate var nonEmpty: Data? { isEmpty ? nil : self }
}
