import Foundation
import PouchClient
import PouchNetwork
import Synchronization

/// One run of a shopper's program. After its end it reaches neither the network nor the session, as if it were dead.
final class Program: Transport, SessionStore {
    private let transport: any Transport
    private let sessions: any SessionStore
    private let hasEnded = Atomic(false)

    init(_ transport: any Transport, _ sessions: any SessionStore) {
        self.transport = transport
        self.sessions = sessions
    }

    func end() {
        hasEnded.store(true, ordering: .relaxed)
    }

    func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        try live()
        let response = try await transport.send(request)
        try live()
        return response
    }

    func load() async throws -> Data? { try await sessions.load() }

    func save(_ session: Data) async throws {
        try live()
        try await sessions.save(session)
    }

    func clear() async throws {
        try live()
        try await sessions.clear()
    }

    private func live() throws(NetworkError) {
        if hasEnded.load(ordering: .relaxed) { throw .unreachable("the program has ended") }
    }
}
