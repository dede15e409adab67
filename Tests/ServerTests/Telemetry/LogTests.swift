import Foundation
import HTTPTypes
import HummingbirdTesting
import Logging
import PouchContract
import PouchEntities
import PouchJSON
import PouchServer
import PouchTelemetry
import PouchWire
import ServerTesting
import Synchronization
import Testing

@testable import PouchDomain

/// Keeps what a log writes.
final class LogLines: Sendable {
    private let bytes = Mutex(Data())

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
    /// - Throws: if a line of a log in JSON is not an object.
    var all: [JSON] {
        get throws {
            try text.split(separator: "\n").map { line in
                let json = try JSON(json: String(line))
                _ = try #require(json.object)
                return json
            }
        }
    }

    func logger(_ level: Logger.Level = .info, _ format: LineLog.Format = .json) -> Logger {
        var logger = Logger(label: "test") { _ in LineLog(format) { line in self.bytes.withLock { $0 += line } } }
        logger.logLevel = level
        return logger
    }
}

@Suite("The log", .timeLimit(.minutes(5)))
struct LogTests {
    private static func serve(
        _ lines: LogLines, level: Logger.Level = .info,
        configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (Transport) async throws -> Void
    ) async throws {
        try await TemporaryFolder.use { folder in
            var configuration = ServerConfiguration(database: try await TestDatabase(in: folder).address)
            configuration.dataFolder = folder
            configuration.port = 0
            configuration.passwordCost = .init(log2N: 4, blockSize: 8, parallelism: 1)
            configure(&configuration)
            let application = try await ShopApplication(configuration)
            try await application.application(logger: lines.logger(level)).test(.router) { client in
                try await body(.client(client))
            }
        }
    }

    @Test func `Each request is a line of JSON with its route, status, duration, agent and trace`() async throws {
        let lines = LogLines()
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        try await Self.serve(lines) { transport in
            let answer = try await transport.anyone.send(
                "GET", "/v1/products/no-such",
                headers: ["User-Agent": "shop \"1\"", HeaderName.traceparent: "00-\(trace)-00f067aa0ba902b7-01"])
            let line = try #require(try lines.all.first { $0["message"] == "request" })
            #expect(line["hb.request.id"]?.string == answer.header(HeaderName.requestId))
            #expect(line["trace.id"]?.string == trace)
            #expect(line["route"] == "product" && line["method"] == "GET" && line["status"] == 404)
            #expect(line["path"] == "/v1/products/no-such" && line["problem"] == "not_found")
            #expect(line["agent"] == "shop \"1\"" && line["level"] == "info")
            switch line["ms"] {
            case .integer, .number: break
            case let other: Issue.record("\(String(describing: other)) is no number")
            }
            #expect(line["time"]?.string?.hasSuffix("Z") == true)
            _ = try await transport.anyone.send("GET", "/v1/products?q=secret")
            #expect(try lines.all.contains { $0["route"] == "products" && $0["path"] == "/v1/products" })
        }
    }

    @Test(arguments: [true, false])
    func `An access log has each request, also where the level leaves out others`(isOn: Bool) async throws {
        let lines = LogLines()
        try await Self.serve(lines, level: .error, configure: { $0.telemetry.logsEachRequest = isOn }) { transport in
            _ = try await transport.anyone.send("GET", "/v1/products")
            _ = try await transport.anyone.send("GET", "/nowhere")
        }
        #expect(try lines.all.filter { $0["message"] == "request" }.count == (isOn ? 2 : 0))
        #expect(try !lines.all.contains { $0["level"] == "notice" })
    }

    @Test func `Texts of clients cannot end a line, steer a terminal, or be long`() throws {
        #expect(String(loggable: "plain", limit: 9) == "plain")
        #expect(String(loggable: "a\u{1B}[31m\r\nb\u{202E}\u{2028}c", limit: 99) == "a [31m  b  c")
        #expect(String(loggable: String(repeating: "é", count: 300), limit: 200).count == 201)
        let lines = LogLines()
        lines.logger().info(
            "a\nb", metadata: ["time": "x", "list": ["\u{7}", .stringConvertible(2)], "nested": ["k": "v"]])
        let line = try #require(try lines.all.first)
        #expect(line["message"] == "a b" && line["time_"] == "x" && line["list"] == [" ", 2])
        #expect(line["nested"]?["k"] == "v" && lines.text.filter { $0 == "\n" }.count == 1)
    }

    @Test func `A log for people has the time, the level, the message, and each value as a word or in JSON`() throws {
        let lines = LogLines()
        lines.logger(.info, .text).warning(
            "disk\nfull",
            metadata: [
                "z": "plain", "a": "two words", "quoted": "\"", "count": .stringConvertible(3), "empty": "",
                "list": ["x", "y=1"], "color": "\u{1B}[31m",
            ])
        let parts = lines.text.split(separator: " ", maxSplits: 1)
        #expect(WireTime.date(String(parts[0])).map { abs($0.timeIntervalSinceNow) < 60 } == true)
        #expect(
            parts[1] == #"""
                warning disk full a="two words" color=" [31m" count=3 empty="" list=["x","y=1"] quoted="\"" z=plain

                """#)
    }

    @Test func `No secret is in the log, in traces or in metrics`() async throws {
        let lines = LogLines()
        let port = Mutex(0)
        try await TraceCollector.serve { collector, url in
            try await Self.serve(
                lines, level: .debug,
                configure: { configuration in
                    configuration.telemetry.traces = url
                    configuration.telemetry.traceSampling = 1
                    configuration.telemetry.metrics = .init(port: 0)
                    configuration.telemetry.onMetricsListening = { found in port.withLock { $0 = found } }
                }
            ) { transport in
                let customer = try await transport.customer("hidden@example.com")
                let session = try #require(customer.session?.remoteSession)
                _ = try await transport.anyone.call(
                    Contract.signIn, SignInRequest(email: "hidden@example.com", password: "wrong-secret-password"))
                _ = try await customer.buyNow(card: "tok_declined", email: "hidden@example.com", key: "secret-key-1234")
                _ = try await customer.send("GET", "/v1/products?q=secret-query&token=secret-token")
                _ = try await transport.anyone.send(
                    "GET", "/v1/cart", headers: ["Authorization": "Bearer secret-bearer", "Cookie": "c=secret-cookie"])
                _ = try await transport.anyone.send(
                    "GET", "/v1/account", headers: [HeaderName.accessToken: "secret-access"])
                try await eventually { try collector.spans.filter { $0.kind == 2 }.count >= 6 }
                let metrics = try await Transport.tcp(port: port.withLock { $0 })(.get, "/metrics", [:], nil)
                let seen = [lines.text, String(decoding: metrics.body, as: UTF8.self)] + collector.texts
                #expect(seen.allSatisfy { $0.count > 100 })
                let secrets = [
                    session.accessToken, session.refreshToken, "wrong-secret-password", String.password,
                    "secret-key-1234", "secret-query", "secret-token", "secret-bearer", "secret-cookie",
                    "secret-access", "tok_declined", "hidden@example.com",
                ]
                for secret in secrets { #expect(!seen.contains { $0.contains(secret) }, "\(secret)") }
            }
        }
    }
}
