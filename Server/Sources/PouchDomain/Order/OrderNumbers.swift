import PouchEntities

/// Order numbers, reserved in blocks, so that concurrent checkouts do not wait for each other. When the process ends,
/// the rest of its block is skipped.
public actor OrderNumbers {
    private static let block = 32

    private let store: any Store
    private var free: [Int64] = []
    private var refill: Task<Void, any Error>?

    public init(store: any Store) {
        self.store = store
    }

    /// Returns the lowest free number; waits for a new block if none is free.
    ///
    /// - Throws: the store's error, when no block can be reserved.
    func draw() async throws -> Int64 {
        while free.isEmpty {
            let task = refill ?? Task { try await reserve() }
            refill = task
            try await task.value
        }
        return free.removeFirst()
    }

    /// Takes back a number that no order has used.
    func giveBack(_ number: Int64) {
        free.insert(number, at: free.firstIndex { $0 > number } ?? free.endIndex)
    }

    private func reserve() async throws {
        defer { refill = nil }
        let first = try await store.write(.readCommitted) { try $0.orders.reserveNumbers(Self.block) }
        free.append(contentsOf: first..<first + Int64(Self.block))
    }
}
