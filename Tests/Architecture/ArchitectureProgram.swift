import Foundation

/// `architecture [--rules | --no-builds] [--markdown] [REPOSITORY]`: compares the three architectures of Koober by what
/// is in their sources. Ends with 1 where a rule is broken; `--rules` says nothing else.
@main
struct ArchitectureProgram {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        let repository = URL(filePath: arguments.first { !$0.hasPrefix("--") } ?? ".")
        let koober = try Koober(repository: repository)
        if !arguments.contains("--rules") {
            let builds =
                arguments.contains("--no-builds")
                ? nil : try BuildTimes(of: koober.architectures, repository: repository, feature: "SignIn")
            print(Report(koober, builds: builds).text(markdown: arguments.contains("--markdown")))
        }
        let violations = Rules(koober).violations
        for violation in violations {
            let lines = ["Broken: " + violation.rule] + violation.places.map { "  \($0)" }
            FileHandle.standardError.write(Data((lines.joined(separator: "\n") + "\n").utf8))
        }
        if !violations.isEmpty { exit(1) }
    }
}
