import Foundation
import PouchClient
import PouchNetwork
import PouchPersistence
import Synchronization

/// The state that survives the end of a program: the session, and a database, or memory, which is faster.
struct Device: Sendable {
    private enum Disk {
        case memory(MemoryStore)
        case file(URL)
    }

    let sessions = DeviceSessionStore()
    private let disk: Disk

    init() { disk = .memory(MemoryStore()) }

    init(file: URL) { disk = .file(file) }

    /// Opens the store for a program that starts. The program before it may not have closed its database.
    func store() async throws -> any LocalStore {
        switch disk {
        case .memory(let store): store
        case .file(let file): try await SQLiteStore.open(at: file)
        }
    }
}

/// Stores a session as a device does, and can make its access token useless.
actor DeviceSessionStore {
    private var session: Data?

    func load() -> Data? { session }

    /// Checks here that the program runs: between a check elsewhere and this call, the program can end and the next one
    /// load the store.
    func save(_ session: Data, of program: Program) throws {
        try program.checkRuns()
        self.session = session
    }

    func clear(of program: Program) throws {
        try program.checkRuns()
        session = nil
    }

    /// Replaces the access token with an expired or an unknown one for the next client that loads the session.
    func spoil(looksExpired: Bool) throws {
        guard let session, var fields = try JSONSerialization.jsonObject(with: session) as? [String: Any],
            var tokens = fields["remoteSession"] as? [String: Any]
        else { return }
        if looksExpired {
            tokens["accessTokenExpiresAt"] = "2020-01-01T00:00:00.000Z"
        } else {
            tokens["accessToken"] = "unknown"
        }
        fields["remoteSession"] = tokens
        self.session = try JSONSerialization.data(withJSONObject: fields)
    }
}

/// One run of a shopper's program. After its end, it can use neither the network nor the session, like a killed
/// process.
final class Program: Transport, SessionStore {
    private let transport: any Transport
    private let sessions: DeviceSessionStore
    private let hasEnded = Atomic(false)

    init(_ transport: any Transport, _ sessions: DeviceSessionStore) {
        self.transport = transport
        self.sessions = sessions
    }

    func end() { hasEnded.store(true, ordering: .relaxed) }

    func send(_ request: NetworkRequest) async throws(NetworkError) -> StreamedResponse {
        if hasEnded.load(ordering: .relaxed) { throw .unreachable("the program has ended") }
        let response = try await transport.send(request)
        if hasEnded.load(ordering: .relaxed) { throw .connectionLost("the program has ended") }
        return response
    }

    func load() async throws -> Data? { await sessions.load() }

    func save(_ session: Data) async throws { try await sessions.save(session, of: self) }

    func clear() async throws { try await sessions.clear(of: self) }

    fileprivate func checkRuns() throws(NetworkError) {
        if hasEnded.load(ordering: .relaxed) { throw .unreachable("the program has ended") }
    }
}
