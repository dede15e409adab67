import HTTPTypes
import HummingbirdCore
import Logging
import PouchTelemetry
import PouchWire

/// The line of an answered request in the log. The metadata of the logger has the request's id and the client's address,
/// so that failed sign-ins can be traced.
///
/// From the client, the line has only the method, the path and the user agent: no query, which may contain personal
/// searches, and no other header field, which may contain a secret.
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

    /// - Parameter always: whether to log the line even if the logger leaves out entries of its level.
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
    /// With two decimal places.
    fileprivate var milliseconds: Double {
        let (seconds, attoseconds) = components
        return (Double(seconds) * 100_000 + Double(attoseconds / 10_000_000_000_000)).rounded() / 100
    }
}
