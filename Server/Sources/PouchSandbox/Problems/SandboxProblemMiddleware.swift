import Hummingbird
import Logging

/// Turns whatever is thrown within into a problem.
struct SandboxProblemMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: SandboxRequestContext,
        next: (Request, SandboxRequestContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch {
            if let problem = SandboxProblem(error) { return problem.response }
            context.logger.error("unexpected error", metadata: ["error": "\(String(reflecting: error))"])
            return SandboxProblem(.internalError).response
        }
    }
}
