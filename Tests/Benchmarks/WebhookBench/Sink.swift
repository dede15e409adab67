import HTTPTypes
import Hummingbird
import NIOCore
import ShopBenching
import Synchronization

/// A server that takes webhooks and counts them.
final class Sink: Sendable {
    private struct State {
        var count = 0
        var ids: Set<String> = []
        var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let state = Mutex(State())
    private let idField = HTTPField.Name("webhook-id")

    var count: Int { state.withLock { $0.count } }
    /// The number of different events.
    var distinct: Int { state.withLock { $0.ids.count } }

    /// Serves during the body, which gets the address.
    func serving(_ body: @Sendable (String) async throws -> Void) async throws {
        let router = Router()
        router.post("/hook") { request, _ in
            for try await _ in request.body {}
            self.take(self.idField.flatMap { request.headers[$0] } ?? "")
            return HTTPResponse.Status.noContent
        }
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { listening.yield($0.localAddress?.port ?? 0) }, logger: .bench(.critical))
        try await withServices([application], logger: .bench(.critical)) {
            guard let port = await ports.first(where: { _ in true }) else { throw CancellationError() }
            try await body("http://127.0.0.1:\(port)/hook")
        }
    }

    func wait(for count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                guard state.count < count else { return true }
                state.waiting = (count, continuation)
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private func take(_ id: String) {
        let waiting: CheckedContinuation<Void, Never>? = state.withLock { state in
            state.count += 1
            state.ids.insert(id)
            guard let waiting = state.waiting, state.count >= waiting.count else { return nil }
            state.waiting = nil
            return waiting.continuation
        }
        waiting?.resume()
    }
}
