import PouchEntities

/// Gives back what expired holds keep, so that whoever looks for them finds few, also where the orders wait for a payment
/// provider that the shop no longer has.
///
/// Nothing depends on when it does: whether a hold has expired follows from the clock alone (`Holds`).
public struct ExpiredHolds: Sendable {
    /// The most orders of one transaction.
    private static let batch = 50

    private let environment: DomainEnvironment

    public init(_ environment: DomainEnvironment) {
        self.environment = environment
    }

    /// Gives back all that have expired by now, in short transactions.
    public func release() async throws {
        while try await environment.store.write(.readCommitted, releaseSome) { try Task.checkCancellation() }
    }

    /// - Returns: whether there may be more.
    @Sendable private func releaseSome(in repositories: any Repositories) throws -> Bool {
        let now = environment.time.now
        let expired = try repositories.orders.expiredHolds(at: now, limit: Self.batch)
        try Holds(now: now, repositories: repositories).releaseExpired(expired)
        return expired.count == Self.batch
    }
}
