import ServerTesting
import Subprocess
import Synchronization
import SystemPackage
import Testing

/// The mail server of `Tests/Mail/mail_server.py`, which runs during a test. `make` installs what it needs.
final class MailSink: Sendable {
    /// A mail as the mail server received it and Python read it.
    struct Mail: Decodable, Sendable {
        let sender: String
        let recipients: [String]
        let options: [String]
        let headers: [[String]]
        let text: String
        let html: String
        /// The defects that Python's email package found.
        let defects: [String]
        let longestLine: Int
        let bareNewlines: Int
        let encrypted: Bool
        let user: String?

        func header(_ name: String) -> String? { headers.first { $0[0] == name }?[1] }
    }

    private struct Event: Decodable {
        let event: String
        let port: Int?
        let certificate: String?
        let mechanism: String?
    }

    let port: Int
    /// The PEM file of its certificate; nil without TLS.
    let certificate: String?
    private let lines = Mutex<[String]>([])

    private init(_ listening: Event) throws {
        port = try #require(listening.port)
        certificate = listening.certificate
    }

    /// Runs the mail server during the body.
    static func run(
        _ arguments: [String] = [], body: @escaping @Sendable (MailSink) async throws -> Void
    ) async throws {
        try await TemporaryFolder.use { folder in
            _ = try await Subprocess.run(
                .path(PeerProgram.python),
                arguments: Arguments([PeerProgram.path("Mail/mail_server.py"), folder.path] + arguments),
                input: .none, output: .sequence, error: .string(limit: 1 << 20)
            ) { execution in
                var lines = execution.standardOutput.strings().makeAsyncIterator()
                let first = try await lines.next() ?? ""
                let sink = try MailSink(JSONDecoder().decode(Event.self, from: Data(first.utf8)))
                try await withThrowingTaskGroup(of: Void.self) { group in
                    group.addTask {
                        try await withCleanup({ try execution.send(signal: .kill) }) { try await body(sink) }
                    }
                    // Until the program has ended.
                    while let line = try await lines.next() { sink.lines.withLock { $0.append(line) } }
                    try await group.waitForAll()
                }
            }
        }
    }

    /// The mails so far.
    var mails: [Mail] {
        get throws { try events("mail").map { try JSONDecoder().decode(Mail.self, from: Data($0.utf8)) } }
    }

    /// The mails once there are as many. The mail server prints a mail before it answers, but what it prints is read
    /// later.
    func mails(_ count: Int) async throws -> [Mail] {
        try await eventually { try self.mails.count >= count }
        return try mails
    }

    /// The number of events of a kind so far.
    func count(_ event: String) throws -> Int { try events(event).count }

    /// The mechanisms of the logins so far.
    func logins() throws -> [String] {
        try events("login").compactMap { try JSONDecoder().decode(Event.self, from: Data($0.utf8)).mechanism }
    }

    private func events(_ name: String) throws -> [String] {
        try lines.withLock { $0 }.filter { try JSONDecoder().decode(Event.self, from: Data($0.utf8)).event == name }
    }
}
