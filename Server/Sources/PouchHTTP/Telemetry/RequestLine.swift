import HTTPTypes
import HummingbirdCore
import Logging
import PouchTelemetry
import PouchWire

/// The log line of an answered request. The logger's metadata has the request's id and the client's address, so that
/// failed sign-ins can be traced.
///
/// The client's only data in the line are the method, the path and the user agent: no query, which may contain personal
/// searches, and no other header, which may contain a secret.
struct RequestLine {
    private static let longestPath = 200
    private static let longestAgent = 200

    let method: HTTPRequest.Method
    let uri: URI
    let agent: String?
    /// See `RequestMeters.name`.
    let route: String
    let status: Int
    var problem: ProblemCode?
    let duration: Duration

    /// - Parameter always: whether to log the line even if the logger omits entries of its level.
    func log(to logger: Logger, always: Bool) {
        let level: Logger.Level = status >= 500 ? .error : .info
        var logger = logger
        if logger.logLevel > level {
            guard always else { return }
            logger.logLevel = level
        }
        var metadata: Logger.Metadata = [
            "method": "\(method)",
            "path": "\(String(loggable: uri.path, limit: Self.longestPath))",
            "route": "\(route)",
            "status": .stringConvertible(status),
            "ms": .stringConvertible(duration.milliseconds),
        ]
        if let agent { metadata["agent"] = "\(String(loggable: agent, limit: Self.longestAgent))" }
        if let problem { metadata["problem"] = "\(problem)" }
        logger.log(level: level, "request", metadata: metadata)
    }

    static func isLogged(by logger: Logger, always: Bool) -> Bool { always || logger.logLevel <= .info }
}

extension Duration {
    /// The duration in milliseconds, with two decimal places.
    fileprivate var milliseconds: Double {
        let (seconds, attoseconds) = components
        return (Double(seconds) * 100_000 + Double(attoseconds / 10_000_000_000_000)).rounded() / 100
    }
}
