import ArgumentParser
import Foundation
import Logging
import PouchDomain
import PouchServer
import PouchTelemetry

/// The options for metrics, traces and the log.
struct TelemetryOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Serve metrics for Prometheus at /metrics on this port; 0 lets the system choose. Default: none.",
            discussion: "The port requires no password.", valueName: "port"))
    var metricsPort: Int?

    @Option(
        help: ArgumentHelp("The address to serve metrics on. Default: 127.0.0.1.", valueName: "address"))
    var metricsHost: String?

    @Option(
        help: ArgumentHelp(
            "Send traces to this collector, as OTLP in JSON over HTTP. Default: none.",
            valueName: "http://127.0.0.1:4318"))
    var otlp: String?

    @Option(
        help: ArgumentHelp(
            "The share of requests to trace, 0 to 1. Default: 0.1.",
            discussion: """
                At most \(SpanTracer.maxRequests) requests per second. A request with traceparent is traced if its \
                caller's is.
                """, valueName: "n"))
    var traceSampling: Double?

    @Option(help: ArgumentHelp("The format of the log: text or json. Default: text.", valueName: "format"))
    var logFormat: String?

    @Flag(help: "Log each request, even with a --log-level above info.")
    var accessLog = false

    func apply(_ settings: Settings, to configuration: inout ServerConfiguration) throws {
        var telemetry = ServerConfiguration.Telemetry()
        let host = settings.text("metricsHost")
        if let port = try settings.port("metricsPort") {
            telemetry.metrics = .init(host: host ?? "127.0.0.1", port: port)
        } else if host != nil {
            throw ValidationError("--metrics-host requires --metrics-port.")
        }
        if let text = settings.text("otlp") {
            telemetry.traces = try PeerAddress(text, of: "--otlp", example: "http://127.0.0.1:4318")
        }
        if let sampling = try settings.number("traceSampling") {
            guard telemetry.traces != nil else { throw ValidationError("--trace-sampling requires --otlp.") }
            guard (0...1).contains(sampling) else { throw ValidationError("--trace-sampling must be from 0 to 1.") }
            telemetry.traceSampling = sampling
        }
        telemetry.logsEachRequest = try settings.flag("accessLog") == true
        configuration.telemetry = telemetry
    }
}

extension Settings {
    /// Creates a logger that writes to standard error, so that standard output has only the command's output.
    func logger() throws -> Logger {
        let name = text("logLevel") ?? "info"
        guard let level = Logger.Level(rawValue: name) else {
            throw ValidationError("Unknown log level “\(name)”. Use trace, debug, info, notice, warning or error.")
        }
        let formatName = text("logFormat") ?? LineLog.Format.text.rawValue
        guard let format = LineLog.Format(rawValue: formatName) else {
            throw ValidationError("Unknown log format “\(formatName)”. Use text or json.")
        }
        var logger = Logger(label: "pouch", factory: { _ in LineLog.standardError(format) })
        logger.logLevel = level
        return logger
    }
}

extension PeerAddress {
    /// - Parameter example: an address in the option's format.
    /// - Throws: `ValidationError`, which omits the text since it may contain a password.
    init(_ text: String, of option: String, example: String) throws {
        guard let address = PeerAddress(text) else {
            throw ValidationError(
                "\(option) must be an address such as \(example), with a port from 1 to 65535 and without a password.")
        }
        self = address
    }
}
