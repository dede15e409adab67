import ClientTesting
import Foundation
import KooberScenarios
import PouchClient
import PouchDomain
import PouchHTTP
import PouchJSON
import PseudoTerminal
import ServerTesting
import Subprocess
import SystemPackage
import Testing

/// Runs the terminal clients, which were built with the tests.
enum Program {
    struct Outcome: Sendable {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Runs a program to its end, with the given environment, PATH and an empty HOME only.
    ///
    /// - Parameter input: The text of standard input, which is not a terminal.
    static func run(
        _ name: String, _ arguments: [String], environment: [String: String], input: String
    ) async throws -> Outcome {
        let home = try TemporaryFolder()
        defer { withExtendedLifetime(home) {} }
        var values: [Environment.Key: String] = ["PATH": "/usr/bin:/bin", "HOME": home.url.path]
        for (name, value) in environment { values[Environment.Key(stringLiteral: name)] = value }
        let result = try await Subprocess.run(
            .path(FilePath(BuiltProgram.url(name).path)), arguments: Arguments(arguments), environment: .custom(values),
            input: try .text(input), output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        let status: Int32
        switch result.terminationStatus {
        case .exited(let code): status = code
        case .signaled(let signal): status = 128 + signal
        }
        return Outcome(status: status, output: result.standardOutput, errors: result.standardError)
    }
}

/// A user of `pouch` whose output goes into a pipe, as in a script.
///
/// A command is written as in a shell: a space separates its words, unless it is between single quotes.
struct Shopper: Sendable {
    /// The options of a command that takes an address.
    static let address = "--name 'Ann Example' --line1 '1 High Street' --city Sydney --postal-code 2000 --country AU"

    let folder: TemporaryFolder
    private let server: URL

    init(at server: URL) throws {
        self.server = server
        folder = try TemporaryFolder()
    }

    func pouch(
        _ command: String, input: String = "", environment: [String: String] = [:]
    ) async throws -> Program.Outcome {
        let own = ["POUCH_SERVER": server.absoluteString, "XDG_STATE_HOME": folder.url.path]
        return try await Program.run(
            "pouch", command.commandWords, environment: own.merging(environment) { $1 }, input: input)
    }

    /// Runs a command, and expects success with all of the texts in the output.
    @discardableResult
    func succeeds(
        _ command: String, input: String = "", printing texts: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Program.Outcome {
        let outcome = try await pouch(command, input: input)
        #expect(outcome.status == 0, "\(outcome.errors)", sourceLocation: sourceLocation)
        for text in texts { #expect(outcome.output.contains(text), sourceLocation: sourceLocation) }
        return outcome
    }

    /// Runs a command, and expects its exit code, no output, and an error with all of the texts.
    @discardableResult
    func fails(
        _ command: String, _ status: Int32, input: String = "", saying texts: String...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Program.Outcome {
        let outcome = try await pouch(command, input: input)
        #expect(
            outcome.status == status && outcome.output.isEmpty, "\(command): \(outcome)", sourceLocation: sourceLocation
        )
        #expect(!outcome.errors.isEmpty, "\(command)", sourceLocation: sourceLocation)
        for text in texts { #expect(outcome.errors.contains(text), sourceLocation: sourceLocation) }
        return outcome
    }

    /// Decodes the output of a successful command, to which it adds --json.
    func json<Value: JSONCodable>(_ command: String, as type: Value.Type = Value.self) async throws -> Value {
        try await pouch(command + " --json").json(type)
    }

    /// Creates an account and signs in.
    func signUp(
        name: String = "Ann Example", email: String = "ann@example.com", password: String = "correct horse"
    ) async throws { try await succeeds("sign-up --name '\(name)' --email \(email)", input: password + "\n") }

    /// Buys a product as a guest, with a good card.
    func buys(_ sku: String, _ options: String = "") async throws -> Order {
        try await json("buy \(sku) --card tok_ok --email a@example.com \(Self.address) \(options)")
    }

    /// The files that the program stores, with their permissions.
    var stateFiles: [(path: String, mode: Int)] {
        get throws {
            let files = FileManager.default
            return try files.subpathsOfDirectory(atPath: folder.url.path).compactMap { name in
                let attributes = try files.attributesOfItem(atPath: folder.file(name).path)
                guard attributes[.type] as? FileAttributeType == .typeRegular else { return nil }
                return (name, attributes[.posixPermissions] as? Int ?? 0)
            }
        }
    }
}

extension String {
    /// The words of a command, as a shell splits it.
    var commandWords: [String] {
        split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { place, part in
            place.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
        }
    }
}

/// Serves a shop while the closure runs with a shopper who has no session.
func withShopper(
    settings: ShopSettings? = nil, _ body: @Sendable (_ ann: Shopper, RunningShop) async throws -> Void
) async throws { try await withRunningShop(settings: settings) { shop in try await body(Shopper(at: shop.url), shop) } }

/// Serves a shop while the closure runs with its owner, who is signed in.
func withOwner(
    settings: ShopSettings? = nil, _ body: @Sendable (_ owner: Shopper, RunningShop) async throws -> Void
) async throws {
    try await withShopper(settings: settings) { owner, shop in
        _ = try await shop.services.accounts.create(
            name: "Boss", email: "boss@example.com", password: "correct horse", role: .admin)
        try await owner.succeeds("sign-in --email boss@example.com", input: "correct horse\n")
        try await body(owner, shop)
    }
}

/// The address of a server that is not there.
func nowhere() throws -> URL { try #require(URL(string: "http://127.0.0.1:9")) }

extension Program.Outcome {
    /// Decodes the output of a successful command with --json.
    func json<Value: JSONCodable>(_ type: Value.Type) throws -> Value {
        try #require(status == 0, "\(errors)")
        return try Value(json: Data(output.utf8))
    }
}

// MARK: - At a terminal
/// A text that a user types, or a key.
struct Input: ExpressibleByStringInterpolation, Sendable {
    fileprivate let text: String

    init(stringLiteral text: String) { self.text = text }
    private init(_ key: TypedKey) { text = key.rawValue }

    static let (up, down, left, right) = (Input(.up), Input(.down), Input(.left), Input(.right))
    static let (enter, escape, clear) = (Input(.enter), Input(.escape), Input(.clear))
    /// Ctrl-C.
    static let interrupt = Input(.interrupt)
    /// Ctrl-T, which opens and closes the recording of `koober`.
    static let timeTravel: Input = "\u{14}"
}

/// A run of a program at a pseudo-terminal.
protocol TerminalVisit: Sendable {
    var terminal: PseudoTerminal { get }
    var program: TerminalProgram { get }

    /// Waits until the screen shows all of the texts.
    func see(_ texts: [String]) async throws
}

extension TerminalVisit {
    func see(_ texts: String...) async throws { try await see(texts) }
    func type(_ inputs: Input...) { for input in inputs { terminal.type(input.text) } }

    /// Types, and waits until the screen shows all of the texts.
    func type(_ inputs: Input..., seeing text: String, _ more: String...) async throws {
        for input in inputs { terminal.type(input.text) }
        try await see([text] + more)
    }

    /// Presses Ctrl-C, and expects the program to end normally.
    func interrupt(sourceLocation: SourceLocation = #_sourceLocation) async {
        type(.interrupt)
        #expect(await program.exit == 0, sourceLocation: sourceLocation)
    }

    /// Waits until the terminal is as it was before the program.
    func seeShell() async throws {
        try await terminal.wait("the shell's screen") { !$0.isAlternate && $0.isCursorVisible }
    }
}

/// A user of `pouch shop` at a pseudo-terminal.
struct ShopVisitor: TerminalVisit {
    let terminal: PseudoTerminal
    let program: TerminalProgram
    /// The folder of the files that the program stores.
    let folder: TemporaryFolder

    /// - Parameters:
    ///   - arguments: of `pouch shop`.
    ///   - folder: that of an earlier visit; nil for a new one.
    init(at server: URL, _ arguments: [String] = [], in folder: TemporaryFolder? = nil) throws {
        self.folder = try folder ?? TemporaryFolder()
        terminal = try PseudoTerminal()
        program = try terminal.run("pouch", ["shop"] + arguments, at: server, storingIn: self.folder)
    }

    /// The characters of the spinner.
    private static let spinner = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"

    /// Waits until the screen shows all of the texts and no spinner, since a screen drops actions during an activity.
    func see(_ texts: [String]) async throws {
        let wanted = texts.map { "“\($0)”" }.joined(separator: " and ")
        try await terminal.wait(wanted) { screen in
            let text = screen.text
            return texts.allSatisfy(text.contains) && !text.contains { Self.spinner.contains($0) }
        }
    }

    /// Fills one field after another, starting with the focused one.
    func fill(_ texts: String...) { for text in texts { type("\(text)", .down) } }
}

extension TemporaryFolder {
    /// The environment of a user who has nothing but this folder.
    fileprivate func environment(at server: URL) -> [String: String] {
        [
            "POUCH_SERVER": server.absoluteString, "XDG_STATE_HOME": url.path, "XDG_CACHE_HOME": file("cache").path,
            "TERM": "xterm-256color", "PATH": "/usr/bin:/bin", "HOME": file("home").path, "TZ": "UTC",
            "SWIFT_BACKTRACE": "enable=no",
        ]
    }
}

extension PseudoTerminal {
    /// Starts a program of Pouch with the environment of a user who has nothing but this folder.
    ///
    /// - Parameter system: variables that the environment has, too, such as LANG.
    func run(
        _ name: String, _ arguments: [String], at server: URL, storingIn folder: TemporaryFolder,
        in system: [String: String] = [:]
    ) throws -> TerminalProgram {
        let environment = folder.environment(at: server).merging(system) { $1 }
        return try run(BuiltProgram.url(name), arguments, environment: environment)
    }
}

/// A user of `koober`, with the files that it stores.
struct KooberPassenger: Sendable {
    let folder: TemporaryFolder
    private let server: URL

    init(at server: URL) throws { (self.server, folder) = (server, try TemporaryFolder()) }

    /// Runs a script.
    ///
    /// - Parameter options: separated by spaces, as in a shell.
    func koober(
        _ options: String = "", script: String, in system: [String: String] = [:]
    ) async throws -> Program.Outcome {
        try await Program.run(
            "koober", options.commandWords + ["--script", "-"],
            environment: folder.environment(at: server).merging(system) { $1 }, input: script)
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
        let program = try terminal.run("koober", options.commandWords, at: server, storingIn: folder, in: system)
        return KooberVisit(terminal: terminal, program: program)
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
        fill(name, email, "", "correct horse")
    }

    /// Fills one field after another, starting with the focused one.
    func fill(_ texts: String...) { for text in texts { type("\(text)", .enter) } }

    /// Ends the program as a crash would.
    func isKilled(sourceLocation: SourceLocation = #_sourceLocation) async {
        program.send(SIGKILL)
        #expect(await program.exit == 128 + SIGKILL, sourceLocation: sourceLocation)
    }
}
