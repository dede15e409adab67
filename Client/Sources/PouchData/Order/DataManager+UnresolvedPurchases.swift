import Foundation
import PouchContract
import PouchEntities
import PouchWire

extension DataManager {
    /// The oldest first. Those that can no longer be resumed are given up by this.
    public func unresolvedPurchases(of owner: String) async throws(DataError) -> [UnresolvedPurchase] {
        let now = now()
        let writes = try await stored { () throws(StoreError) in try await store.pendingWrites(of: owner) }
        let purchases = writes.filter { PendingWrite.Kind.purchases.contains($0.kind) }.map { write in
            UnresolvedPurchase(write, canResume: write.mayBeSent(at: now))
        }
        for purchase in purchases where !purchase.canResume { try await giveUp(purchase) }
        return purchases
    }

    /// Sends the same bytes under the same key.
    public func resume(_ purchase: UnresolvedPurchase) async throws(DataError) -> Order {
        await remembered(try await send(Order.self, purchase.write, isRepeat: true))
    }

    public func giveUp(_ purchase: UnresolvedPurchase) async throws(DataError) {
        try await removePendingWrite(purchase.write)
    }
}

extension UnresolvedPurchase {
    init(_ write: PendingWrite, canResume: Bool) {
        self.init(write: write, total: write.expectedTotal, canResume: canResume)
    }
}

extension PendingWrite {
    /// What both kinds of purchase say in their bodies.
    private struct Purchase: Decodable {
        let expectedTotal: Money
    }

    fileprivate var expectedTotal: Money? {
        body.flatMap { try? WireJSON.decode(Purchase.self, from: $0) }?.expectedTotal
    }
}
