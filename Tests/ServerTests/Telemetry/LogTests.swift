import HTTPTypes
import HummingbirdTesting
import Logging
import PouchTelemetry
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
    @Test func `Each request is a line of JSON with its route, status, duration, agent and trace`() async throws {
        let lines = LogLines()
        let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
        try await TestShop.open([], logger: lines.logger()) { shop in
            let answer = try await shop.anyone.send(
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
            _ = try await shop.anyone.send("GET", "/v1/products?q=secret")
            #expect(try lines.all.contains { $0["route"] == "products" && $0["path"] == "/v1/products" })
        }
    }

    @Test(arguments: [true, false])
    func `An access log has each request, also where the level leaves out others`(isOn: Bool) async throws {
        let lines = LogLines()
        let logger = lines.logger(.error)
        try await TestShop.open([], logger: logger, configure: { $0.telemetry.logsEachRequest = isOn }) { shop in
            _ = try await shop.anyone.send("GET", "/v1/products")
            _ = try await shop.anyone.send("GET", "/nowhere")
        }
        #expect(try lines.all.filter { $0["message"] == "request" }.count == (isOn ? 2 : 0))
        #expect(try !lines.all.contains { $0["level"] == "notice" })
    }

    @Test func `Texts of clients cannot end a line, control a terminal, or exceed a length`() throws {
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
        let port = MetricsPort()
        try await TraceCollector.serve(
            [], sampling: 1, logger: lines.logger(.debug), configure: { port.open(&$0) }
        ) { shop, collector in
            let customer = try await shop.customer("hidden@example.com")
            let session = try #require(customer.session?.remoteSession)
            _ = try await shop.anyone.signIn("hidden@example.com", password: "wrong-secret-password")
            _ = try await customer.buyNow(card: "tok_declined", email: "hidden@example.com", key: "secret-key-1234")
            _ = try await customer.send("GET", "/v1/products?q=secret-query&token=secret-token")
            _ = try await shop.anyone.send(
                "GET", "/v1/cart", headers: ["Authorization": "Bearer secret-bearer", "Cookie": "c=secret-cookie"])
            _ = try await shop.anyone.send("GET", "/v1/account", headers: [HeaderName.accessToken: "secret-access"])
            try await eventually { try collector.spans.filter { $0.kind == 2 }.count >= 6 }
            let seen = [lines.text, try await port.text()] + collector.texts
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
