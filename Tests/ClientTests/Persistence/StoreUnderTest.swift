import Foundation
import PouchData
import PouchPersistence

/// The stores that keep one contract.
enum StoreUnderTest: CaseIterable, Sendable {
    case memory
    case sqlite

    func make(in folder: TemporaryFolder) async throws -> any LocalStore {
        switch self {
        case .memory: MemoryStore()
        case .sqlite: try await SQLiteStore.open(at: folder.file("store.sqlite"))
        }
    }
}
