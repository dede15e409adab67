import ClientTesting
import Foundation
import PouchClient
import PouchDomain
import PouchHTTP
import PouchJSON
import PseudoTerminal
import Testing

/// A user of `pouch` whose output goes into a pipe, as in a script.
struct Shopper: Sendable {
    let folder: TemporaryFolder
    private let server: URL

    init(at server: URL) throws {
        self.server = server
        folder = try TemporaryFolder()
    }

    func pouch(_ arguments: String..., input: String = "") async throws -> Program.Outcome {
        try await pouch(arguments: arguments, input: input)
    }

    func pouch(
        arguments: [String], input: String = "", environment: [String: String] = [:]
    ) async throws -> Program.Outcome {
        try await Program.run(
            "pouch", arguments,
            environment: ["POUCH_SERVER": server.absoluteString, "XDG_STATE_HOME": folder.url.path]
                .merging(environment) { $1 },
            input: input)
    }

    /// Creates an account and signs in.
    func signUp(
        name: String = "Ann Example", email: String = "ann@example.com", password: String = "correct horse"
    ) async throws {
        let signUp = try await pouch("sign-up", "--name", name, "--email", email, input: password + "\n")
        #expect(signUp.status == 0, "\(signUp.errors)")
    }

    /// The files that the program stores, with their permissions.
    var stateFiles: [(path: String, mode: Int)] {
        get throws {
            let files = FileManager.default
            let names = try files.subpathsOfDirectory(atPath: folder.url.path)
            return try names.compactMap { name in
                let attributes = try files.attributesOfItem(atPath: folder.file(name).path)
                guard attributes[.type] as? FileAttributeType == .typeRegular else { return nil }
                return (name, attributes[.posixPermissions] as? Int ?? 0)
            }
        }
    }
}

extension RunningShop {
    /// A shopper who is signed in as the owner.
    func owner() async throws -> Shopper {
        _ = try await services.accounts.create(
            name: "Boss", email: "boss@example.com", password: "correct horse", role: .admin)
        let owner = try Shopper(at: url)
        let signIn = try await owner.pouch("sign-in", "--email", "boss@example.com", input: "correct horse\n")
        try #require(signIn.status == 0, "\(signIn.errors)")
        return owner
    }
}

extension Program.Outcome {
    /// Decodes the output of a successful command with --json.
    func json<Value: JSONCodable>(_ type: Value.Type) throws -> Value {
        try #require(status == 0, "\(errors)")
        return try Value(json: Data(output.utf8))
    }
}

/// A user of `pouch shop` at a pseudo-terminal.
struct ShopVisitor: Sendable {
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
    func see(_ texts: String...) async throws {
        let wanted = texts.map { "“\($0)”" }.joined(separator: " and ")
        try await terminal.wait(wanted) { screen in
            let text = screen.text
            return texts.allSatisfy(text.contains) && !text.contains { Self.spinner.contains($0) }
        }
    }

    func type(_ text: String) { terminal.type(text) }

    func press(_ keys: TypedKey...) {
        for key in keys { terminal.type(key.rawValue) }
    }

    /// Presses Ctrl-C, and expects the program to end normally.
    func interrupt(sourceLocation: SourceLocation = #_sourceLocation) async {
        press(.interrupt)
        #expect(await program.exit == 0, sourceLocation: sourceLocation)
    }

    /// Fills one field after another, starting with the focused one.
    func fill(_ texts: [String]) {
        for text in texts {
            type(text)
            press(.down)
        }
    }
}

extension PseudoTerminal {
    /// Starts a program of Pouch with the environment of a user who has nothing but this folder.
    func run(
        _ name: String, _ arguments: [String], at server: URL, storingIn folder: TemporaryFolder
    ) throws -> TerminalProgram {
        try run(
            BuiltProgram.url(name), arguments,
            environment: [
                "POUCH_SERVER": server.absoluteString, "XDG_STATE_HOME": folder.url.path,
                "XDG_CACHE_HOME": folder.file("cache").path, "TERM": "xterm-256color", "PATH": "/usr/bin:/bin",
                "HOME": folder.file("home").path, "TZ": "UTC", "SWIFT_BACKTRACE": "enable=no",
            ])
    }
}
