import Foundation
import PouchNetwork
import Synchronization
import Testing

/// The article “Write a transport”.
@Suite(.timeLimit(.minutes(1)))
struct WriteATransportTests {
    /// A library that opens what it is told to.
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

        /// - Parameter outcomes: of one call after the other: the pieces of a body, or why there is no answer.
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

    @Test func `request and answer go through a library, with what another transport adds`() async throws {
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

    @Test func `what never left is tried again, also a POST`() async throws {
        let library = FakeLibrary([.failure(.noConnection), .success([.success("done")])])
        let session = NetworkSession(
            LibraryTransport(library: library), retries: RetryPolicy(jitter: { _ in .zero }))
        let payload = await NetworkOperation(NetworkRequest(url: try url(), method: "POST"), in: session).run()
        #expect(payload.data == Data("done".utf8))
        #expect(payload.attempts.count == 2)
    }
}

extension Data {
    fileprivate var nonEmpty: Data? { isEmpty ? nil : self }
}
