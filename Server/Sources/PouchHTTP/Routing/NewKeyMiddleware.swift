import Hummingbird
import PouchDomain
import PouchWire

/// Another process may sign cursors with a key that is not known here yet. So a list that refuses one is asked again, once
/// the keys were read anew.
struct NewKeyMiddleware: RouterMiddleware {
    let keyRing: KeyRing

    func handle(
        _ request: Request, context: PouchRequestContext,
        next: (Request, PouchRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let problem as RequestProblem where problem.code == .invalidCursor {
            try await keyRing.refresh()
            return try await next(request, context)
        }
    }
}
