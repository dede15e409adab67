import ClientTesting
import Foundation
import KooberScenarios
import PseudoTerminal
import Testing

/// A user of `koober`, with the files that it stores.
struct KooberPassenger: Sendable {
    let folder: TemporaryFolder
    private let home: TemporaryFolder
    private let server: URL

    init(at server: URL) throws {
        self.server = server
        folder = try TemporaryFolder()
        home = try TemporaryFolder()
    }

    /// Runs a script.
    ///
    /// - Parameter options: separated by spaces, as in a shell.
    func koober(
        _ options: String = "", script: String, in system: [String: String] = [:]
    ) async throws -> Program.Outcome {
        try await Program.run(
            "koober", options.commandWords + ["--script", "-"], environment: environment.merging(system) { $1 },
            input: script)
    }
    }

    /// Creates an account, and stays signed in.
    func signUp(_ name: String = "Johnny", email: String = "johnny@example.com") async throws {
        let outcome = try await koober(script: "go-to-sign-up\nsign-up \(name) \(email) '' 'correct horse'\nwhere-to")
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    /// Starts the program at a terminal.
    ///
    /// - Parameter system: variables of the environment, such as LANG.
    func start(
        _ options: String = "", columns: Int = 80, rows: Int = 24, in system: [String: String] = [:]
    ) throws -> KooberVisit {
        let terminal = try PseudoTerminal(columns: columns, rows: rows)
        let program = try terminal.run(
            BuiltProgram.url("koober"), options.commandWords, environment: environment.merging(system) { $1 })
        return KooberVisit(terminal: terminal, program: program)
    }

    private var environment: [String: String] {
        [
            "POUCH_SERVER": server.absoluteString, "XDG_STATE_HOME": folder.url.path, "TERM": "xterm-256color",
            "PATH": "/usr/bin:/bin", "HOME": home.url.path, "TZ": "UTC", "SWIFT_BACKTRACE": "enable=no",
        ]
    }

    // MARK: Files

    /// The stored file whose name has this end; nil if there is none.
    func file(_ suffix: String) -> URL? {
        let names = try? FileManager.default.subpathsOfDirectory(atPath: folder.url.path)
        return names?.first { $0.hasSuffix(suffix) }.map { folder.file($0) }
    }

    /// Waits until the stored place has the text, for which there is no event.
    func hasStoredPlace(with text: String, _ location: SourceLocation = #_sourceLocation) async throws {
        var looks = Looks()
        while true {
            let place = file(".place.json").flatMap { try? String(contentsOf: $0, encoding: .utf8) }
            if place?.contains(text) == true { return }
            do { try await looks.pause() } catch {
                Issue.record("The stored place is \(place ?? "none"), without “\(text)”.", sourceLocation: location)
                throw error
            }
        }
    }
}

/// A run of `koober` at a terminal.
struct KooberVisit: TerminalVisit {
    let terminal: PseudoTerminal
    let program: TerminalProgram

    func see(_ texts: [String]) async throws { _ = try await screen(with: texts) }

    /// Waits until the screen shows all of the texts, but not the other one. Prices have a blank for each no-break
    /// space.
    ///
    /// - Returns: the text of the screen.
    @discardableResult
    func screen(with texts: [String], without other: String? = nil) async throws -> String {
        try await terminal.wait("\(texts)") { screen in
            let text = screen.text.replacing("\u{A0}", with: " ")
            return texts.allSatisfy(text.contains) && other.map(text.contains) != true
        }.joined(separator: "\n").replacing("\u{A0}", with: " ")
    }

    /// Creates an account from the welcome screen.
    func signUp(_ name: String = "Johnny", email: String = "johnny@example.com") async throws {
        try await see("› [ Sign in ]")
        try await type(.down, .enter, seeing: "› Name")
        for text in [name, email, "", "correct horse"] { type("\(text)", .enter) }
    }

    /// Ends the program as a crash would.
    func isKilled(sourceLocation: SourceLocation = #_sourceLocation) async {
        program.send(SIGKILL)
        #expect(await program.exit == 128 + SIGKILL, sourceLocation: sourceLocation)
    }
}
