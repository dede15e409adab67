import Foundation
import Hummingbird
import NIOCore

/// Charges: made once for each key, looked up, captured and voided.
struct ChargeRoutes {
    let ledger: SandboxLedger
    let timing: SandboxTiming

    func register(with routes: RouterGroup<SandboxRequestContext>) {
        routes.post("charges", use: create)
        routes.get("charges") { request, _ in
            let (limit, after) = try request.page()
            return try Response(page: try await ledger.charges(after: after, limit: limit + 1), limit: limit) { $0.key }
        }
        routes.get("charges/{key}") { _, context in
            guard let charge = try await ledger.charge(try context.key()) else { throw SandboxProblem(.notFound) }
            return try Response(json: charge)
        }
        routes.post("charges/{key}/capture") { _, context in
            guard let charge = try await ledger.capture(try context.key()) else { throw SandboxProblem(.notFound) }
            guard charge.status == .captured else {
                throw SandboxProblem(.notCapturable, "It is \(charge.status.rawValue).")
            }
            return try Response(json: charge)
        }
        routes.post("charges/{key}/void") { _, context in
            try Response(json: try await ledger.void(try context.key()))
        }
    }

    private func create(_ request: Request, _ context: SandboxRequestContext) async throws -> Response {
        let key = try IdempotencyKey.header(of: request)
        let body = try await request.json(ChargeRequestBody.self)
        guard body.amount > 0 else { throw SandboxProblem(.validationFailed, "amount must be above 0.") }
        let card = SandboxCard(token: body.token)
        switch card {
        case .good, .declined: break
        case .slow, .lost, .failing:
            // A card has its whims once; what is booked is told at once.
            if let charge = try await ledger.booked(key, body) {
                return try Response(Booked(entry: charge, isReplay: true))
            }
        }
        if card == .failing { throw SandboxProblem(.nothingBooked) }
        // A caller that goes away does not call back what it asked for.
        if card == .slow { try? await Task.sleep(for: timing.slow) }
        let booked = try await ledger.book(key, body, declineCode: card.declineCode)
        if card == .lost, !booked.isReplay {
            try? await Task.sleep(for: timing.lost)
            try await context.channel.close()
        }
        return try Response(booked)
    }
}
