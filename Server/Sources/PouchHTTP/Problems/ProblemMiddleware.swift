import CoreMetrics
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import PouchContract
import PouchJSON
import PouchTelemetry
import PouchWire

/// Sets the request id and the headers of every response, limits request headers, measures, traces and logs the
/// request, and converts errors to problem+json responses.
struct ProblemMiddleware: RouterMiddleware {
    /// The headers of every response after the request id.
    private let headers: HTTPFields
    private let telemetry: RequestTelemetry
    private let meters: RequestMeters

    /// - Parameter isEncrypted: whether the server uses TLS.
    init(isEncrypted: Bool, telemetry: RequestTelemetry, meters: RequestMeters) {
        headers = Self.headers(isEncrypted: isEncrypted)
        self.telemetry = telemetry
        self.meters = meters
    }

    /// With TLS, browsers are asked to use only HTTPS for a year.
    static func headers(isEncrypted: Bool) -> HTTPFields {
        var headers: HTTPFields = [.xContentTypeOptions: "nosniff"]
        if isEncrypted { headers[.strictTransportSecurity] = "max-age=31536000" }
        return headers
    }

    func handle(_ request: Request, context: PouchRequestContext, next: NextHandler) async throws -> Response {
        let start = ContinuousClock.now
        let route = meters.name(request.method, context.endpointPath)
        let caller = request.headers[.traceparent].flatMap { TraceContext($0) }
        var context = context
        meters.active.increment()
        defer { meters.active.decrement() }

        var (response, problem): (Response, ProblemCode?)
        // Named after the route, since paths contain ids.
        let path = context.endpointPath
        if let span = telemetry.tracer?.startRequest(
            path.map { "\(request.method) \($0)" } ?? "\(request.method)", caller: caller, at: start)
        {
            context.logger[metadataKey: "trace.id"] = "\(span.trace.traceId)"
            (response, problem) = await TraceContext.$current.withValue(span.trace) {
                await answer(request, context, next)
            }
            if span.isRecording { describe(span, request, context, route, response, problem) }
            span.end()
        } else {
            if let caller { context.logger[metadataKey: "trace.id"] = "\(caller.traceId)" }
            (response, problem) = await answer(request, context, next)
        }
        response.headers[.requestId] = context.requestId
        for field in headers { response.headers[field.name] = field.value }
        if caller != nil { response.headers[.traceparent] = request.headers[.traceparent] }
        let duration = ContinuousClock.now - start
        meters[route].count(response.status.code, duration)
        if RequestLine.isLogged(by: context.logger, always: telemetry.logsEachRequest) || response.status.code >= 500 {
            RequestLine(
                method: request.method, uri: request.uri, agent: request.headers[.userAgent], route: route,
                status: response.status.code, problem: problem, duration: duration
            ).log(to: context.logger, always: telemetry.logsEachRequest)
        }
        return response
    }

    private func answer(
        _ request: Request, _ context: PouchRequestContext, _ next: NextHandler
    ) async -> (Response, ProblemCode?) {
        do {
            try checkHeaders(request)
            if request.method == .options, request.head.path == "*" { return (Self.methods, nil) }
            let response = try await next(request, context)
            try checkMatch(response, to: request)
            return (response, nil)
        } catch {
            let found = self.problem(for: error, request, context)
            return (found.response(requestId: context.requestId), found.code)
        }
    }

    /// The attributes contain neither the path nor the query, since both may contain what only the client should know.
    private func describe(
        _ span: RecordedSpan, _ request: Request, _ context: PouchRequestContext, _ route: String,
        _ response: Response, _ problem: ProblemCode?
    ) {
        span.add("http.request.method", request.method.rawValue)
        if let path = context.endpointPath { span.add("http.route", path) }
        span.add("http.response.status_code", response.status.code)
        span.add("pouch.endpoint", route)
        span.add("pouch.request_id", context.requestId)
        if let problem { span.add("error.type", problem.rawValue) }
        if response.status.kind == .serverError { span.fail() }
    }

    private func checkHeaders(_ request: Request) throws {
        var bytes = request.uri.string.utf8.count
        for field in request.headers { bytes += field.name.rawName.utf8.count + field.value.utf8.count }
        guard bytes <= Limits.headerBytes else {
            throw RequestProblem(
                .headersTooLarge, "The URL and the headers can have at most \(Limits.headerBytes) bytes.")
        }
        let path = request.uri.path
        // Few paths have escapes, and every request passes here.
        let decoded = path.utf8.contains(UInt8(ascii: "%")) ? path.removingPercentEncoding ?? path : path
        guard !CombiningMarks(in: decoded).areTooMany else { throw RequestProblem(.notFound) }
    }

    /// The answer about the whole server.
    private static var methods: Response {
        Response(status: .noContent, headers: [.allow: "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT"])
    }

    /// RFC 9110 §13.1.1, for reads: changes check the version in their transaction.
    private func checkMatch(_ response: Response, to request: Request) throws {
        guard [.get, .head].contains(request.method), let wanted = request.headers[.ifMatch],
            let etag = response.headers[.eTag], !ETag.isMatch(wanted, etag)
        else { return }
        throw RequestProblem(.versionConflict, "The current ETag is \(etag).")
    }

    private func problem(for error: any Error, _ request: Request, _ context: PouchRequestContext) -> RequestProblem {
        var problem = RequestProblem(error, in: context)
        if problem.code == .notFound, let allowed = allowedMethods(request) {
            problem = RequestProblem(allowing: allowed)
        }
        return problem
    }

    /// The value of `Allow`; nil if the contract lacks the path, or has it with the method.
    private func allowedMethods(_ request: Request) -> String? {
        let verbs = Endpoint.at(request.uri.path).map(\.method)
        let names = verbs.map(\.rawValue) + (verbs.contains(.get) ? ["HEAD"] : [])
        guard !names.isEmpty, !names.contains(request.method.rawValue) else { return nil }
        return names.sorted().joined(separator: ", ")
    }
}

extension RequestProblem {
    /// The problem for any error. An unexpected error is logged, and the client sees no details of it.
    package init(_ error: any Error, in context: PouchRequestContext) {
        if let known = RequestProblem(error) {
            self = known
        } else if error is CancellationError {
            self.init(.unavailable)
        } else {
            context.logger.error("unexpected error", metadata: ["error": "\(String(reflecting: error))"])
            self.init(
                .internalError, "Try again. If it keeps failing, report it with the request ID \(context.requestId).")
        }
    }
}
