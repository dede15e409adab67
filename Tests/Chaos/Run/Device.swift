import Foundation
import PouchClient
import PouchPersistence

/// What outlives a program that was ended: the session, and either a database or, quicker, memory.
struct Device: Sendable {
    private enum Disk {
        case memory(MemoryStore)
        case file(URL)
    }

    let sessions = RestartedStore()
    private let disk: Disk

    init() {
        disk = .memory(MemoryStore())
    }

    init(file: URL) {
        disk = .file(file)
    }

    /// As a program finds it that starts, even where the one before never closed its database.
    func store() async throws -> any LocalStore {
        switch disk {
        case .memory(let store): store
        case .file(let file): try await SQLiteStore.open(at: file)
        }
    }
}
