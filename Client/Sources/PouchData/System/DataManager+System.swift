import PouchContract
import PouchService

extension DataManager {
    /// Whether the server is up and can do its work; throws where it cannot.
    public func healthReady() async throws(DataError) {
        _ = try await answer(to: Contract.healthReady.endpoint, .system(.healthReady))
    }
}
