import ClientTesting
import Foundation
import Loopback
import PouchJSON
import Subprocess
import PseudoTerminal
import Synchronization
import SystemPackage
import Testing

/// `pouch` and `koober` with servers that break off, answer late or are to be trusted by a file, over the transport that
/// they use by themselves.
@Suite(.timeLimit(.minutes(10)))
struct ConnectionProgramTests {
    private static let emptyPage = answer(#"{"items":[]}"#)

    private static func answer(_ json: String) -> String {
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(json.utf8.count)\r\n"
            + "Connection: close\r\n\r\n\(json)"
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func run(
        _ command: String, of program: String = "pouch", at server: URL, certificates: URL? = nil
    ) async throws -> Program.Outcome {
        var environment = ["POUCH_SERVER": server.absoluteString, "XDG_STATE_HOME": folder.url.path]
        environment["SSL_CERT_FILE"] = certificates?.path
        return try await Program.run(program, command.commandWords, environment: environment, input: "")
    }

    /// A command that sends requests.
    private static func command(of program: String) -> String {
        program == "pouch" ? "catalog" : "--script - --session-store memory"
    }

    @Test func `an answer cut within its head, and TLS on one side alone, are named, with an exit code`() async throws {
        let cut = try LoopbackServer { _ in "HTTP/1.1 200 OK\r\nContent-Le" }
        let lost = try await run("catalog", at: try cut.url(""))
        #expect(lost.status == 5 && lost.errors.contains("The connection to the server was lost."))
        #expect(!cut.heads.isEmpty)
        let alert = Data([0x15, 0x03, 0x01, 0x00, 0x02, 0x02, 0x46])
        for (server, scheme, spoken, other) in [
            (try await PlainServer(), "https", "TLS", "http://"),
            (try await PlainServer(answer: alert), "http", "HTTP", "https://"),
        ] {
            let outcome = try await run("catalog", at: try server.url(scheme))
            #expect(outcome.status == 5 && outcome.errors.contains(other))
            #expect(outcome.errors.contains("The server does not speak \(spoken) on this port."))
        }
    }

    #if os(Linux)
        @Test func `--ca and SSL_CERT_FILE trust the certificates of a file and no others`() async throws {
            let server = try await TLSServer(answer: Self.emptyPage)
            let url = try server.url("")
            let right = try folder.file(
                "right.pem", containing: TestCertificate.pem(TestCertificate.other, TestCertificate.server))
            let wrong = try folder.file("wrong.pem", containing: TestCertificate.pem(TestCertificate.other))
            for outcome in [
                try await run("catalog", at: url), try await run("catalog --ca \(wrong.path)", at: url),
                try await run("catalog", at: url, certificates: wrong),
                try await run("catalog --ca \(wrong.path)", at: url, certificates: right),
            ] {
                #expect(outcome.status == 5)
                #expect(outcome.errors.contains("The server's certificate is not trusted."))
            }
            #expect(server.answers == 0)
            for outcome in [
                try await run("catalog --ca \(right.path)", at: url),
                try await run("--ca \(right.path) catalog", at: url),
                try await run("catalog", at: url, certificates: right),
            ] { #expect(outcome.status == 0, "\(outcome.errors)") }
            #expect(server.answers == 3)
        }

        /// With URLSession on Linux, a program that waits on a new connection keeps a processor busy.
        @Test func `a program sleeps while it waits for an answer`() async throws {
            let program = Mutex<Int?>(nil)
            let used = Mutex<Double?>(nil)
            let server = try LoopbackServer { _, connection in
                while program.withLock({ $0 }) == nil { Thread.sleep(forTimeInterval: 0.005) }
                // Between the request and its answer alone: the start takes long, most of all on a busy machine.
                let before = program.withLock { $0 }.flatMap(Self.processorTime)
                Thread.sleep(forTimeInterval: 4)
                let after = program.withLock { $0 }.flatMap(Self.processorTime)
                used.withLock { used in used = before.flatMap { before in after.map { $0 - before } } }
                connection.write(Self.emptyPage)
            }
            let result = try await Subprocess.run(
                .path(FilePath(BuiltProgram.url("pouch").path)),
                arguments: ["catalog", "--server", try server.url("").absoluteString],
                environment: .custom([
                    "PATH": "/usr/bin:/bin", "HOME": folder.file("home").path, "XDG_STATE_HOME": folder.url.path,
                ]), input: .none, output: .discarded, error: .string(limit: 1 << 20)
            ) { execution in
                let id = Int(execution.processIdentifier.value)
                program.withLock { $0 = id }
            }
            #expect(result.terminationStatus.isSuccess, "\(result.standardError)")
            // Of four seconds. A program that keeps a processor busy uses most of them, or its share on a busy machine.
            let seconds = try #require(used.withLock { $0 })
            #expect(seconds < 0.4)
            #expect(server.heads.count == 1)
        }

        /// The seconds of processor time that a process has used; nil if it has ended.
        private static func processorTime(of process: Int) -> Double? {
            guard let line = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
                // The name of the program, in parentheses, may have spaces.
                let fields = line.split(separator: ")").last?.split(separator: " "), fields.count > 12,
                let user = Double(fields[11]), let system = Double(fields[12])
            else { return nil }
            return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
    #endif

    @Test(arguments: ["pouch", "koober"])
    func `a file without certificates is refused before any request`(program: String) async throws {
        let server = try LoopbackServer { _ in Self.emptyPage }
        let empty = try folder.file("empty.pem", containing: "")
        let text = try folder.file("text.pem", containing: "not a certificate\n")
        let damaged = try folder.file(
            "damaged.pem", containing: String(TestCertificate.pem(TestCertificate.server).dropLast(40)))
        for (file, sentence) in [
            (folder.file("missing.pem"), "does not exist or cannot be read"), (empty, "contains no PEM certificate"),
            (text, "contains no PEM certificate"), (damaged, "Certificate 1 of the file is damaged."),
        ] {
            let command = Self.command(of: program)
            let byOption = try await run("\(command) --ca \(file.path)", of: program, at: try server.url(""))
            #expect(byOption.status == 64 && byOption.errors.contains("--ca \(file.path)"))
            #expect(byOption.errors.contains(sentence))
            let encrypted = try #require(URL(string: "https://127.0.0.1:\(server.port)"))
            let byEnvironment = try await run(command, of: program, at: encrypted, certificates: file)
            #expect(byEnvironment.status == 64 && byEnvironment.errors.contains("SSL_CERT_FILE"))
        }
        #expect(server.heads.isEmpty)
    }

    @Test func `a server without TLS needs no certificates, so SSL_CERT_FILE is not read`() async throws {
        let server = try LoopbackServer { _ in Self.emptyPage }
        let missing = folder.file("missing.pem")
        let outcome = try await run("catalog", at: try server.url(""), certificates: missing)
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    @Test(arguments: ["http://192.0.2.1:8080", "http://shop.example", "http://[2001:db8::1]", "http://127.example.com"])
    func `another machine gets no password over http unless the user allows it`(address: String) async throws {
        let server = try #require(URL(string: address))
        for program in ["pouch", "koober"] {
            let outcome = try await run(Self.command(of: program), of: program, at: server)
            #expect(outcome.status == 64 && outcome.errors.contains("--plain-http"), "\(outcome.errors)")
        }
        // The option is accepted, together with an argument that is refused before any request.
        let allowed = try await run("catalog --plain-http --limit 0", at: server)
        #expect(allowed.status == 64 && !allowed.errors.contains("unencrypted"), "\(allowed.errors)")
    }

    @Test func `JSON has no character that steers a terminal`() async throws {
        let name = "Cap\u{9B}2J\u{7F}\u{1B}[2J"
        let place =
            ##"{"name":"\##(name.replacing("\u{1B}", with: #"\u001b"#))","location":{"latitude":0,"longitude":0}}"##
        let server = try LoopbackServer { _ in Self.answer(#"{"items":[\#(place)]}"#) }
        let outcome = try await run("ride places --json", at: try server.url(""))
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control || $0 == "\n" })
        let list = try JSON(json: outcome.output)
        #expect((list["items"]?.array ?? list.array ?? []).map { $0["name"]?.string } == [name])
    }

    @Test(arguments: ["localhost:18200", "/nope", "ftp://127.0.0.1", "file:///tmp", "http://"])
    func `an address that is no server's is refused before any request`(address: String) async throws {
        for command in ["catalog --server", "shop --feed"] {
            let outcome = try await run("\(command) \(address)", at: nowhere())
            #expect(outcome.status == 64 && outcome.errors.contains("must be like http"))
        }
    }
}
