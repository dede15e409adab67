import Foundation
import PouchContract
import PouchNetwork
import PouchService
import PouchTesting
import PouchWire

/// A transport that answers with a closure.
package struct StubTransport: Transport {
    package let answer: @Sendable (NetworkRequest) async throws(NetworkError) -> NetworkResponse

    package init(_ answer: @escaping @Sendable (NetworkRequest) async throws(NetworkError) -> NetworkResponse) {
        self.answer = answer
    }

    package func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        StreamedResponse(try await answer(request))
    }
}

/// A transport that answers with a closure and records the requests.
package final class RecordingTransport: Transport {
    private let log = Collector<NetworkRequest>()
    private let answer: @Sendable (NetworkRequest) async throws(NetworkError) -> NetworkResponse

    package init(_ answer: @escaping @Sendable (NetworkRequest) async throws(NetworkError) -> NetworkResponse) {
        self.answer = answer
    }

    package var requests: [NetworkRequest] { log.all }

    package func requests(to path: String) -> [NetworkRequest] { requests.filter { $0.url.path() == path } }

    package func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        log.add(request)
        return StreamedResponse(try await answer(request))
    }
}

extension RecordingTransport {
    package convenience init(heldBy gate: Gate, answering answer: NetworkResponse = NetworkResponse(status: 200)) {
        self.init { _ in
            await gate.pass()
            return answer
        }
    }
}

// MARK: Answers

extension NetworkResponse {
    package static func text(_ text: String, status: Int = 200, type: String = "application/json") -> NetworkResponse {
        NetworkResponse(
            status: status, headers: ["Content-Type": type, "Request-Id": "req-text"], data: Data(text.utf8))
    }
}

// MARK: Requests

extension Transport {
    /// Sends a request once and waits for the whole answer.
    package func response(
        to request: NetworkRequest, limit: Int = NetworkBody.standardLimit
    ) async throws(NetworkError) -> NetworkResponse {
        try await send(request).collected(upTo: limit)
    }
}

extension NetworkOperation {
    /// One attempt over a transport.
    package convenience init(
        _ request: NetworkRequest,
        sending: NetworkRequest? = nil,
        over transport: any Transport,
        clock: any Clock<Duration> = TimeoutClock()
    ) {
        self.init(request, sending: sending, in: NetworkSession(transport, clock: clock))
    }
}

// MARK: Services

/// A service over a stub transport, at the time `Date.sample`. By default it sends each request once.
package func makeService(
    over transport: any Transport, store: any SessionStore = MemorySessionStore(), retries: RetryPolicy = .once,
    clock: any Clock<Duration> = ContinuousClock(), requestLimit: Int = 1_000
) throws -> APIWrapper {
    guard let server = URL(string: "http://127.0.0.1") else { throw CocoaError(.fileNoSuchFile) }
    return APIWrapper(
        server: server, transport: transport, sessionStore: store,
        options: NetworkOptions(retries: retries, requestLimit: .fixed(requestLimit)), clock: clock,
        now: { Date.sample }, makeKey: { "made-key" })
}

/// The reason of the error that a call throws; nil if the call succeeds.
package func failureReason(_ call: () async throws -> some Sendable) async -> ServiceError.Reason? {
    do {
        _ = try await call()
        return nil
    } catch {
        return (error as? ServiceError)?.reason
    }
}
