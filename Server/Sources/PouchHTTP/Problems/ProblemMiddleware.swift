import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import PouchContract
import PouchJSON
import PouchWire

/// Sets the request id and the headers of every response, limits the headers of requests, logs the request, and turns
/// errors into problem+json responses.
struct ProblemMiddleware: RouterMiddleware {
    /// The headers of every response after the request id.
    private let headers: HTTPFields

    /// - Parameter isEncrypted: whether the server speaks TLS.
    init(isEncrypted: Bool) {
        headers = Self.headers(isEncrypted: isEncrypted)
    }

    /// With TLS, browsers are asked to use nothing else for a year.
    static func headers(isEncrypted: Bool) -> HTTPFields {
        var headers: HTTPFields = [.xContentTypeOptions: "nosniff"]
        if isEncrypted { headers[.strictTransportSecurity] = "max-age=31536000" }
        return headers
    }

    func handle(
        _ request: Request, context: PouchRequestContext,
        next: (Request, PouchRequestContext) async throws -> Response
    ) async throws -> Response {
        let start = ContinuousClock.now
        let traceparent = request.headers[.traceparent].flatMap { TraceParent($0) }
        var context = context
        if let traceparent { context.logger[metadataKey: "trace.id"] = "\(traceparent.traceId)" }

        var response: Response
        var problem: ProblemCode?
        do {
            try checkHeaders(request)
            response = try await next(request, context)
        } catch {
            let found = self.problem(for: error, request, context)
            problem = found.code
            response = found.response(requestId: context.requestId)
        }
        response.headers[.requestId] = context.requestId
        for field in headers { response.headers[field.name] = field.value }
        if let traceparent { response.headers[.traceparent] = traceparent.text }
        context.logger.request(request.method, request.uri, response.status, problem, duration: .now - start)
        return response
    }

    private func checkHeaders(_ request: Request) throws {
        var bytes = request.uri.string.utf8.count
        for field in request.headers { bytes += field.name.rawName.utf8.count + field.value.utf8.count }
        guard bytes <= Limits.headerBytes else {
            throw RequestProblem(
                .headersTooLarge, "The address and the headers may have up to \(Limits.headerBytes) bytes.")
        }
        let path = request.uri.path
        // Few paths have escapes, and this is on the way of every request.
        let decoded = path.utf8.contains(UInt8(ascii: "%")) ? path.removingPercentEncoding ?? path : path
        guard !CombiningMarks(in: decoded).areTooMany else { throw RequestProblem(.notFound) }
    }

    private func problem(
        for error: any Error, _ request: Request, _ context: PouchRequestContext
    ) -> RequestProblem {
        var problem: RequestProblem
        if let known = RequestProblem(error) {
            problem = known
        } else if error is CancellationError {
            problem = RequestProblem(.unavailable)
        } else {
            context.logger.error("unexpected error", metadata: ["error": "\(String(reflecting: error))"])
            problem = RequestProblem(
                .internalError, "Try again. If it keeps failing, report it with the request ID \(context.requestId).")
        }
        if problem.code == .notFound, let allowed = allowedMethods(request) {
            problem = RequestProblem(.methodNotAllowed, "Allowed here: \(allowed).")
            problem.headers[.allow] = allowed
        }
        return problem
    }

    /// The value of `Allow`; nil if the contract does not have the path, or has it with the method.
    private func allowedMethods(_ request: Request) -> String? {
        let verbs = Endpoint.at(request.uri.path).map(\.method)
        let names = verbs.map(\.rawValue) + (verbs.contains(.get) ? ["HEAD"] : [])
        guard !names.isEmpty, !names.contains(request.method.rawValue) else { return nil }
        return names.sorted().joined(separator: ", ")
    }
}

extension Logger {
    /// Logs an answered request. The metadata of the logger has the request's id and the client's address, so that failed
    /// sign-ins can be traced.
    func request(
        _ method: HTTPRequest.Method, _ uri: URI, _ status: HTTPResponse.Status, _ problem: ProblemCode? = nil,
        duration: Duration
    ) {
        let level: Logger.Level = status.kind == .serverError ? .error : .info
        guard logLevel <= level else { return }
        // Without the query, which may contain personal searches.
        var metadata: Logger.Metadata = [
            "method": "\(method)",
            "path": "\(uri.path.prefix(200))",
            "status": "\(status.code)",
            "ms": "\(duration.milliseconds)",
        ]
        if let problem { metadata["problem"] = "\(problem)" }
        log(level: level, "request", metadata: metadata)
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

/// The `traceparent` header of W3C Trace Context, version 00.
private struct TraceParent {
    let text: String
    /// 32 hexadecimal digits.
    let traceId: String

    /// - Returns: nil for an invalid header, which is then ignored.
    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == "00",
            zip(parts, [2, 32, 16, 2]).allSatisfy({ $0.utf8.count == $1 && $0.utf8.allSatisfy(Self.isHexDigit) }),
            parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" })
        else { return nil }
        self.text = text
        traceId = String(parts[1])
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte)
    }
}
