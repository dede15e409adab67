import Foundation
import PouchEntities
import PouchWire

/// A purchase with an unknown outcome.
public struct UnresolvedPurchase: Sendable, Hashable, Identifiable {
    let write: PendingWrite
    /// The amount to be charged; nil where it is no longer known.
    public let total: Money?
    /// Whether the server still knows the purchase by its key, so that trying again makes it at most once.
    public let canResume: Bool

    public var id: String { write.key }
    public var isOfCart: Bool { write.kind == .checkout }
    public var startedAt: Date { write.firstSentAt ?? write.createdAt }

    init(_ write: PendingWrite, canResume: Bool) {
        self.write = write
        total = write.body.flatMap { try? WireJSON.decode(Body.self, from: $0) }?.expectedTotal
        self.canResume = canResume
    }

    private struct Body: Decodable {
        let expectedTotal: Money
    }
}

extension DataManager {
    /// Oldest first. A purchase that can no longer be resumed is returned once and then removed.
    public func unresolvedPurchases(of owner: String) async throws(DataError) -> [UnresolvedPurchase] {
        let now = now()
        let purchases = try await mappingStoreErrors(await store.pendingWrites(of: owner))
            .filter { PendingWrite.Kind.purchases.contains($0.kind) }
            .map { UnresolvedPurchase($0, canResume: $0.mayBeSent(at: now)) }
        for purchase in purchases where !purchase.canResume { try await giveUp(purchase) }
        return purchases
    }

    public func resume(_ purchase: UnresolvedPurchase) async throws(DataError) -> Order {
        await storing(try await send(Order.self, purchase.write, isRepeat: true))
    }

    public func giveUp(_ purchase: UnresolvedPurchase) async throws(DataError) {
        try await removePendingWrite(purchase.write)
    }
}
