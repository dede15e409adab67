import HTTPTypes
import Hummingbird

/// Refuses who means another ledger, before anything is booked.
struct LedgerMiddleware: RouterMiddleware {
    let ledgerId: String

    func handle(
        _ request: Request, context: SandboxRequestContext,
        next: (Request, SandboxRequestContext) async throws -> Response
    ) async throws -> Response {
        if let name = HTTPField.Name(LedgerHead.headerName), let meant = request.headers[name], meant != ledgerId {
            throw SandboxProblem(.wrongLedger, "This is the ledger \(ledgerId).")
        }
        return try await next(request, context)
    }
}
