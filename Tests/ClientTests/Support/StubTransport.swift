import Foundation
import PouchNetwork
import Synchronization

/// A transport that is one closure.
struct StubTransport: Transport {
    let answer: @Sendable (NetworkRequest) async throws(NetworkError) -> NetworkResponse

    init(_ answer: @escaping @Sendable (NetworkRequest) async throws(NetworkError) -> NetworkResponse) {
        self.answer = answer
    }

    func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        StreamedResponse(try await answer(request))
    }
}

/// Remembers what went through it.
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
