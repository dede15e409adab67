import Foundation
import PouchContract
import PouchNetwork
import PouchWire
import Synchronization

/// A transport that answers with a closure.
struct StubTransport: Transport {
    let answer: @Sendable (NetworkRequest) async throws(NetworkError) -> NetworkResponse

    init(_ answer: @escaping @Sendable (NetworkRequest) async throws(NetworkError) -> NetworkResponse) {
        self.answer = answer
    }

    func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        StreamedResponse(try await answer(request))
    }
}

/// A transport that answers with a closure and records the requests.
final class RecordingTransport: Transport {
    private let log = Mutex<[NetworkRequest]>([])
    private let answer: @Sendable (NetworkRequest) async throws(NetworkError) -> NetworkResponse

    init(_ answer: @escaping @Sendable (NetworkRequest) async throws(NetworkError) -> NetworkResponse) {
        self.answer = answer
    }

    var requests: [NetworkRequest] { log.withLock { $0 } }

    func requests(to path: String) -> [NetworkRequest] {
        requests.filter { $0.url.path() == path }
    }

    func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        log.withLock { $0.append(request) }
        return StreamedResponse(try await answer(request))
    }
}

// MARK: Answers

extension NetworkResponse {
    static func text(_ text: String, status: Int = 200, type: String = "application/json") -> NetworkResponse {
        NetworkResponse(
            status: status, headers: ["Content-Type": type, "Request-Id": "req-text"], data: Data(text.utf8))
    }
}

// MARK: Requests

extension Transport {
    /// Sends a request once and waits for the whole answer.
    func response(
        to request: NetworkRequest, limit: Int = NetworkBody.standardLimit
    ) async throws(NetworkError) -> NetworkResponse {
        try await send(request).collected(upTo: limit)
    }
}

extension NetworkOperation {
    /// One attempt over a transport.
    convenience init(
        _ request: NetworkRequest,
        sending: NetworkRequest? = nil,
        over transport: any Transport,
        clock: any Clock<Duration> = TimeoutClock()
    ) {
        self.init(request, sending: sending, in: NetworkSession(transport, clock: clock))
    }
}
