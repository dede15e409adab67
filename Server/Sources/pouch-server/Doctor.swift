import ArgumentParser
import Foundation
import PouchServer
import PouchWeb

struct Doctor: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Check the settings and everything that the server needs, and suggest fixes.",
        // The generated usage would also list all options of serve.
        usage: "pouch-server doctor [<options>]",
        discussion: """
            Accepts the options of serve, including those from the environment and --config, and changes nothing. You \
            can run it while a server is running. Run it as the server's user, who must be able to read the server's \
            files.

            The exit code is 1 if there is a problem, which keeps the server from starting or loses data, and 0 \
            otherwise, even with warnings.
            """)

    @OptionGroup var serve: Serve

    @Option(help: ArgumentHelp("The host name that the certificate must cover.", valueName: "shop.example.com"))
    var name: String?

    @Flag(help: "Print JSON: a list of objects with subject, level (ok, warning or problem) and text.")
    var json = false

    func run() async throws {
        var findings: [Finding] = []
        let isColoured = isatty(STDOUT_FILENO) == 1 && ProcessInfo.processInfo.environment["NO_COLOR"] == nil
        // Prints each at once, since some checks take seconds.
        func tell(_ finding: Finding) {
            findings.append(finding)
            if !json { print(finding.line(isColoured: isColoured)) }
        }

        if let configuration = await settings(tell) {
            for check in configuration.healthChecks(name: name) {
                for finding in await check.findings() { tell(finding) }
            }
        }
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            print(String(decoding: try encoder.encode(findings), as: UTF8.self))
        }
        guard !findings.contains(where: { $0.level == .problem }) else { throw ExitCode.failure }
    }

    /// - Returns: nil if the settings are invalid.
    private func settings(_ tell: (Finding) -> Void) async -> ServerConfiguration? {
        let known = Set(Settings.keys.map(Settings.variable) + Self.otherVariables)
        for name in ProcessInfo.processInfo.environment.keys.sorted()
        where name.hasPrefix("POUCH_") && !known.contains(name) {
            tell(.warning("\(name) is not a setting. Check the spelling.").about("settings"))
        }
        do {
            let settings = try await serve.settings()
            let configuration = try serve.configuration(settings)
            tell(.ok("The settings are valid.").about("settings"))
            return configuration
        } catch {
            let text = (error as? ValidationError)?.message ?? "\(error)"
            tell(.problem(text).about("settings"))
            return nil
        }
    }

    /// POUCH_SERVER is for the terminal programs.
    private static let otherVariables = ["POUCH_CONFIG", "POUCH_SERVER"]
}

extension Finding {
    /// A line of the output.
    ///
    /// - Parameter isColoured: whether the output is a terminal.
    fileprivate func line(isColoured: Bool) -> String {
        let (word, colour) =
            switch level {
            case .ok: ("OK", 32)
            case .warning: ("warning", 33)
            case .problem: ("problem", 31)
            }
        let padded = word + String(repeating: " ", count: 9 - word.count)
        return (isColoured ? "\u{1B}[\(colour)m\(padded)\u{1B}[0m" : padded)
            + subject.padding(toLength: 13, withPad: " ", startingAt: 0) + text.printable
    }
}
