import PouchClient
import Synchronization

/// The edits to the cart of which a shopper was told afterwards that they were not done, or perhaps not.
final class Told: Sendable {
    private static let patience = 200
    private let edits = Mutex<[CartEdit]>([])
    private let total = Atomic(0)

    func follow(_ updates: AsyncStream<CartUpdate>) {
        Task {
            for await update in updates {
                guard case .refused(let edit, _) = update else { continue }
                total.add(1, ordering: .relaxed)
                edits.withLock { $0.append(edit) }
            }
        }
    }

    var count: Int { total.load(ordering: .relaxed) }

    /// What is told later is of later edits.
    func forget() {
        edits.withLock { $0 = [] }
    }

    /// Whether something was told of each of these SKUs. It may still be on its way.
    func covers(_ skus: Set<String>) async throws -> Bool {
        for _ in 0..<Self.patience {
            let edits = edits.withLock { $0 }
            if edits.contains(.clear) || skus.isSubset(of: edits.compactMap(\.sku)) { return true }
            try await Task.sleep(for: .milliseconds(5))
        }
        return false
    }
}
