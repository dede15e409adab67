import Foundation
import HTTPTypes
import PouchJSON
import PouchWire
import ServerTesting
import Subprocess
import Testing

@Suite("Metrics, traces and the log of pouch-server", .timeLimit(.minutes(5)))
struct TelemetryProcessTests {
    @Test func `A used port of the metrics is reported in one sentence, before the shop is served`() async throws {
        let database = try await TestDatabase(in: folder).text
        _ = try await ServerProgram.serve("--port", "0", "--database", database) { server in
            let second = try await ServerProgram.run(
                "serve", "--port", "0", "--metrics-port", "\(server.port)", "--database", database,
                "--log-level", "error")
            #expect(second.status == .exited(1))
            #expect(second.output.isEmpty)
            let address = "127.0.0.1:\(server.port)"
            #expect(
                second.errors == "Error: \(address) is in use by another program. Choose another --metrics-port.\n")
        }
    }

    @Test func `The log is JSON line by line, from the start to the end`() async throws {
        let database = try await TestDatabase(in: folder).text
        let port = try RawConnection.freePort()
        let outcome = try await ServerProgram.serve(
            "--port", "0", "--database", database, "--log-format", "json", "--access-log", "--metrics-port",
            "\(port)"
        ) { server in
            _ = try await server.guest().cart()
            let metrics = try await Transport.tcp(port: port)(.get, "/metrics", [:], nil)
            let found = try Exposition(String(decoding: metrics.body, as: UTF8.self))
            #expect(found.value("pouch_http_requests_total", ["route": "cart", "status": "200"]) == 1)
            #expect(found.value("process_start_time_seconds") ?? 0 > 1.7e9)
        }
        #expect(outcome.status == .exited(0))
        let lines = try outcome.errors.split(separator: "\n").map { try JSON(json: String($0)) }
        #expect(lines.filter { $0["message"] == "request" && $0["client"] == "127.0.0.1" }.count == 2)
        #expect(lines.last?["message"] == "stopped")
    }

    @Test(arguments: [
        (["--metrics-host", "127.0.0.1"], "--metrics-host requires --metrics-port."),
        (["--metrics-port", "70000"], "Invalid metricsPort: expected 0 to 65535, got 70000."),
        (["--otlp", "collector:4318"], "--otlp must be an address such as http://127.0.0.1:4318"),
        (["--otlp", "http://a:b@c"], "--otlp must be an address such as http://127.0.0.1:4318"),
        (["--otlp", "http://127.0.0.1:99999"], "with a port from 1 to 65535"),
        (["--trace-sampling", "0.5"], "--trace-sampling requires --otlp."),
        (["--otlp", "http://a", "--trace-sampling", "2"], "--trace-sampling must be from 0 to 1."),
        (["--log-format", "xml"], "Unknown log format “xml”. Use text or json."),
    ])
    func `Options that do not fit are refused with what would`(options: [String], text: String) async throws {
        let database = try await TestDatabase(in: folder).text
        let outcome = try await ServerProgram.run(["serve", "--port", "0", "--database", database] + options)
        #expect(outcome.status == .exited(64) && outcome.errors.contains(text), "\(outcome.errors)")
    }
}
