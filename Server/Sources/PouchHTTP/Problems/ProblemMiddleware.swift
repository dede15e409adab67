import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import PouchWire

/// The outermost of all: names the request, keeps the bound of headers, writes the request log, and turns whatever is
/// thrown within into a problem.
struct ProblemMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: PouchRequestContext,
        next: (Request, PouchRequestContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let traceparent = request.headers[.traceparent].flatMap { TraceParent($0) }
        var context = context
        if let traceparent { context.logger[metadataKey: "trace.id"] = "\(traceparent.traceId)" }

        var response: Response
        do {
            try checkHeaders(request)
            response = try await next(request, context)
        } catch {
            response = answer(to: error, request, context)
        }
        response.headers[.requestId] = context.requestId
        if let traceparent { response.headers[.traceparent] = traceparent.text }
        log(request, response, context, duration: .now - start)
        return response
    }

    private func checkHeaders(_ request: Request) throws {
        var bytes = 0
        for field in request.headers { bytes += field.name.rawName.utf8.count + field.value.utf8.count }
        guard bytes <= Limits.headerBytes else {
            throw RequestProblem(.headersTooLarge, "The headers may have up to \(Limits.headerBytes) bytes.")
        }
    }

    private func answer(to error: any Error, _ request: Request, _ context: PouchRequestContext) -> Response {
        var problem: RequestProblem
        if let known = RequestProblem(error) {
            problem = known
        } else if error is CancellationError {
            problem = RequestProblem(.unavailable)
        } else {
            context.logger.error("unexpected error", metadata: ["error": "\(String(reflecting: error))"])
            problem = RequestProblem(.internalError, "Quote the request id when you report this.")
        }
        if problem.code == .notFound,
            let allowed = AllowedMethods.of(request.uri.path, insteadOf: request.method.rawValue)
        {
            problem = RequestProblem(.methodNotAllowed, "Allowed here: \(allowed).")
            problem.headers[.allow] = allowed
        }
        return problem.response(requestId: context.requestId)
    }

    private func log(
        _ request: Request, _ response: Response, _ context: PouchRequestContext, duration: Duration
    ) {
        let level: Logger.Level = response.status.kind == .serverError ? .error : .info
        // Without the query, which may hold what people look for.
        context.logger.log(
            level: level, "request",
            metadata: [
                "method": "\(request.method)",
                "path": "\(request.uri.path)",
                "status": "\(response.status.code)",
                "ms": "\(duration.milliseconds)",
            ])
    }
}

extension Duration {
    /// With two decimal places.
    fileprivate var milliseconds: String {
        let (seconds, attoseconds) = components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        let hundredths = String(microseconds % 1_000 / 10)
        return "\(microseconds / 1_000).\(hundredths.count == 1 ? "0" : "")\(hundredths)"
    }
}
