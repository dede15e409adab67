import ServerTesting
import Subprocess
import SystemPackage
import Testing

/// A user of `pouch` with a session of their own.
struct PouchUser: Sendable {
    let server: ServerProgram.Serving
    let folder: URL

    init(_ name: String, at server: ServerProgram.Serving, in folder: URL) throws {
        self.server = server
        self.folder = try folder.folder(name)
    }

    private var program: FilePath { BuildFolder.path.appending("pouch") }

    private var settings: [String: String] {
        ["POUCH_SERVER": "http://127.0.0.1:\(server.port)", "XDG_STATE_HOME": folder.path]
    }

    /// - Returns: the output of a command that succeeds.
    @discardableResult
    func pouch(_ arguments: String..., input: String = "") async throws -> String {
        try await ServerProgram.run(arguments, input: input, environment: settings, program: program).good().output
    }

    /// - Returns: the message of a command that the shop refuses.
    func refusal(_ arguments: String...) async throws -> String {
        let outcome = try await ServerProgram.run(arguments, environment: settings, program: program)
        #expect(outcome.status == .exited(3), "\(outcome.output) \(outcome.errors)")
        return outcome.errors
    }

    func json<Value: JSONCodable>(_ type: Value.Type, _ arguments: String...) async throws -> Value {
        let outcome = try await ServerProgram.run(arguments + ["--json"], environment: settings, program: program)
        return try Value(json: Data(outcome.good().output.utf8))
    }

    /// The status of a command whose password or code is refused.
    private static let notSignedIn = TerminationStatus.exited(4)

    /// The codes of a second factor, and the step of the one that enabled it.
    struct SecondFactor: Sendable {
        let codes: OneTimePassword
        let step: Int64
    }

    /// Sets up a second factor as an app does: it reads the secret, and answers with its code. On a busy machine the
    /// code may be too old when it arrives: then it starts again.
    func enableSecondFactor() async throws -> SecondFactor {
        for _ in 0..<5 {
            if let factor = try await beginSecondFactor() { return factor }
        }
        Issue.record("No code enables the second factor.")
        throw DeadlinePassed()
    }

    /// Signs in with codes until one is accepted, of a later step than the one that enabled the second factor, since
    /// each counts once.
    func signIn(_ email: String, with factor: SecondFactor) async throws {
        for _ in 0..<5 {
            let code = factor.codes.code(step: max(OneTimePassword.step(at: .now), factor.step + 1))
            let outcome = try await ServerProgram.run(
                ["sign-in", "--email", email], input: "correct horse\n\(code)\n", environment: settings,
                program: program)
            guard outcome.status == Self.notSignedIn else {
                try outcome.good()
                return
            }
        }
        Issue.record("No code is accepted.")
        throw DeadlinePassed()
    }

    /// - Returns: nil if the code is refused.
    private func beginSecondFactor() async throws -> SecondFactor? {
        let result = try await Subprocess.run(
            .path(program), arguments: ["second-factor", "enable"], environment: .pouch(settings), input: .inputWriter,
            output: .string(limit: 1 << 16), error: .sequence
        ) { execution in
            var shown: SecondFactor?
            // To the end, since the program writes on after the secret.
            for try await line in execution.standardError.strings() {
                guard let found = line.firstMatch(of: #/^[A-Z2-7]{32}$/#) else { continue }
                let codes = try OneTimePassword(shown: String(found.output))
                let step = OneTimePassword.step(at: .now)
                _ = try await execution.standardInputWriter.write(codes.code(step: step) + "\n")
                try await execution.standardInputWriter.finish()
                shown = SecondFactor(codes: codes, step: step)
            }
            return try #require(shown)
        }
        guard result.terminationStatus != Self.notSignedIn else { return nil }
        try #require(result.terminationStatus == .exited(0))
        #expect(result.standardOutput.contains("recovery codes"))
        return result.closureResult
    }
}
