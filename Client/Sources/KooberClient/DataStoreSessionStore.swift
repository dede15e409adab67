import Foundation
import KooberKit
import PouchClient
import PouchEntities

/// Lets the SDK keep its session where Koober does, with the tokens that it renews.
actor DataStoreSessionStore: SessionStore {
    private let dataStore: any UserSessionDataStore
    private var latest: UserSession?

    init(_ dataStore: any UserSessionDataStore) {
        self.dataStore = dataStore
    }

    /// What cannot be read is no session: signing in puts another in its place.
    func load() async -> Data? {
        latest = (try? await dataStore.readUserSession()) ?? nil
        return latest.flatMap { try? WireJSON.encode($0) }
    }

    func save(_ session: Data) async throws {
        let session = try WireJSON.decode(UserSession.self, from: session)
        latest = session
        try await dataStore.save(userSession: session)
    }

    /// What another program has put there meanwhile stays.
    func clear() async throws {
        guard let session = latest else { return }
        try await dataStore.delete(userSession: session)
    }
}
