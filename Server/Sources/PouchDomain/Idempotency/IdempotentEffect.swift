/// An effect that takes more than one transaction, after the first of them.
package enum IdempotentEffect<Begun: Sendable>: Sendable {
    /// What is to be brought to its end.
    case begun(Begun)
    /// The request was sent before, and this was its answer.
    case replay(StoredAnswer)

    /// Brings to its end what was begun, also where the client goes away meanwhile.
    package func finish(
        _ end: @escaping @Sendable (Begun) async throws -> StoredAnswer
    ) async throws -> IdempotentAnswer {
        switch self {
        case .replay(let answer): IdempotentAnswer(answer: answer, isReplay: true)
        case .begun(let begun):
            IdempotentAnswer(answer: try await Task { try await end(begun) }.value, isReplay: false)
        }
    }
}

extension Idempotency {
    /// To be called in the first transaction of an effect: begins it, unless the request was sent before.
    ///
    /// - Parameter orderId: the order, refund or import that the request is about.
    /// - Throws: `DomainError.idempotencyKeyReused`, `.idempotencyKeyInUse`, and what `begin` throws.
    package func effect<Begun>(
        of request: IdempotencyRecord.Request?, orderId: String, in repositories: any Repositories,
        _ begin: () throws -> Begun
    ) throws -> IdempotentEffect<Begun> {
        if let answer = try self.begin(request, orderId: orderId, in: repositories) { return .replay(answer) }
        return .begun(try begin())
    }
}
