import Foundation
import HTTPTypes
import PouchJSON
import PouchWire
import ServerTesting
import Subprocess
import Testing

@Suite("Metrics, traces and the log of pouch-server", .timeLimit(.minutes(5)), .inFolder)
struct TelemetryProcessTests {
    private let folder = TemporaryFolder.current

    @Test func `A used port of the metrics is reported in one sentence, before the shop is served`() async throws {
        let database = try await TestDatabase(in: folder).text
        try await ServerProgram.serve(on: database) { server in
            let port = String(server.port)
            let second = try await ServerProgram.run(
                "serve", "--port", "0", "--metrics-port", port, "--database", database, "--log-level", "error")
            #expect(second.status == .exited(1) && second.output.isEmpty)
            let sentence = "127.0.0.1:\(port) is in use by another program. Choose another --metrics-port."
            #expect(second.errors == "Error: \(sentence)\n")
        }
    }

    @Test func `The log is JSON line by line, from the start to the end`() async throws {
        let database = try await TestDatabase(in: folder).text
        let port = try RawConnection.freePort()
        let outcome = try await ServerProgram.serve(
            on: database, "--log-format", "json", "--access-log", "--metrics-port", "\(port)"
        ) { server in
            _ = try await server.guest().cart()
            let found = try Exposition(try await Transport.tcp(port: port).anyone.send("GET", "/metrics").text)
            #expect(found.value("pouch_http_requests_total", ["route": "cart", "status": "200"]) == 1)
            #expect(found.value("process_start_time_seconds") ?? 0 > 1.7e9)
        }
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
        try await ServerProgram.run(["serve", "--port", "0", "--database", database] + options)
            .expectFailure(text, code: 64)
    }
}
