import Hummingbird

/// Refunds: made once for each key.
struct RefundRoutes {
    let ledger: SandboxLedger

    func register(with routes: RouterGroup<SandboxRequestContext>) {
        routes.post("refunds") { request, _ in
            let key = try IdempotencyKey.header(of: request)
            let body = try await request.json(RefundRequestBody.self)
            guard body.amount > 0 else { throw SandboxProblem(.validationFailed, "amount must be above 0.") }
            return try Response(try await ledger.refund(key, body))
        }
        routes.get("refunds") { request, _ in
            let (limit, after) = try request.page()
            return try Response(page: try await ledger.refunds(after: after, limit: limit + 1), limit: limit) { $0.key }
        }
    }
}
