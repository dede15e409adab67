import Foundation
import PouchClient

/// The levels of swift-log that requests need.
enum LogLevel: Sendable {
    case debug, notice, warning
}

typealias Log = @Sendable (_ level: LogLevel, _ message: String, _ metadata: [String: String]) -> Void

func loggingOptions(_ log: @escaping Log) -> NetworkOptions {
    NetworkOptions(observe: { report in
        var metadata = [
            "time": "\(report.duration)", "queue": "\(report.timeInQueue)",
            "attempts": "\(report.attempts.count)", "sent": "\(report.sentBytes)",
            "received": "\(report.receivedBytes)",
        ]
        metadata["head"] = report.timeToHead.map { "\($0)" }
        metadata["status"] = report.status.map(String.init)
        metadata["error"] = report.error.map { "\($0)" }
        metadata["request"] = report.requestId
        log(level(of: report), "\(report.method) \(report.url)", metadata)
    })
}

nonisolated func level(of report: NetworkReport) -> LogLevel {
    if report.error == .cancelled { return .debug }
    if report.error != nil || (report.status ?? 0) >= 500 { return .warning }
    return report.isRepeated ? .notice : .debug
}

func makeClient(
    server: URL, user: String, password: String, transport: any Transport = StandardTransport(),
    log: @escaping Log
) -> Pouch? {
    // Basic cannot encode a colon in the name.
    guard let proxy = BasicAuthentication(user: user, password: password, server: server) else { return nil }
    var options = loggingOptions(log)
    options.authentication = proxy
    options.headers = ["User-Agent": "kiosk/1.2"]
    return Pouch(server: server, transport: transport, network: options)
}

nonisolated enum Trace {
    /// The place of the current task, as the tracer of the program writes it into `traceparent`.
    @TaskLocal static var traceparent: String?
}

func tracedOptions(_ log: @escaping Log) -> NetworkOptions {
    var options = loggingOptions(log)
    options.traceparent = { Trace.traceparent }
    return options
}
