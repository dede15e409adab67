import Foundation
import PouchClient
import PouchCoordination
import PouchNetwork
import Synchronization
import Testing

/// The article “Sign in”.
@Suite(.timeLimit(.minutes(1)))
struct SignInTests {
    private let shop = StubShop()
    private let pouch: Pouch

    init() throws {
        let server = try #require(URL(string: "http://127.0.0.1"))
        pouch = Pouch(server: server, transport: shop)
    }

    @Test func `a sign-in greets by name`() async {
        #expect(await signIn(email: "ada@example.org", password: "12345678", to: pouch) == "Hello, Ada.")
    }

    @Test func `a wrong password is reported`() async {
        shop.change { $0.refusals["/v1/sessions"] = .problem(.invalidCredentials) }
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
    private let rides = StubRides()
    private let store = MemoryStore()

    /// Another process on the same device.
    private func open() throws -> Pouch {
        Pouch(
            server: try #require(URL(string: "http://127.0.0.1")), transport: rides,
            sessionStore: MemorySessionStore(Fixture.data(Shopper.ada.session)), store: store)
    }

    @Test func `fares to a place are found by its name, and one of them is taken`() async throws {
        let pouch = try open()
        let quotes = try await fares(from: Fixture.quay, to: "opera", in: pouch)
        #expect(quotes == [Fixture.quote])
        let ride = try await takeRide(Fixture.trip, for: Fixture.quote, in: pouch)
        #expect(ride?.status == .requested)
        rides.change { $0.refusals["/v1/rides"] = [.problem(.rideInProgress)] }
        #expect(try await takeRide(Fixture.trip, for: Fixture.quote, in: pouch) == ride)
    }

    @Test func `a ride is followed to its receipt`() async throws {
        rides.put(Fixture.ride(.requested))
        let (shown, continuation) = AsyncStream.makeStream(of: String.self)
        let pouch = try open()
        async let receipt = followRide("rid_1", in: pouch) { continuation.yield($0) }
        let connection = await rides.connection()
        connection.status(Fixture.ride(.accepted))
        rides.put(Fixture.ride(.completed))
        connection.status(Fixture.ride(.completed))
        #expect(try await receipt == Fixture.receipt(of: Fixture.ride(.completed)))
        continuation.finish()
        #expect(
            await shown.reduce(into: []) { $0.append($1) }
                == ["No driver yet: requested", "Skippy: accepted, 1 min", "No driver yet: completed"])
    }

    @Test func `a request whose answer was lost is settled by a later process, once`() async throws {
        rides.change { $0.losesAnswers = true }
        let first = try open()
        await #expect(throws: DataError.self) { try await takeRide(Fixture.trip, for: Fixture.quote, in: first) }
        rides.change { $0.losesAnswers = false }
        let later = try open()
        #expect(try await settleRideRequests(of: later)?.id == "rid_1")
        #expect(try await later.rides.rides().items.count == 1)
        #expect(try await later.rides.unresolvedRequests().isEmpty)
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
