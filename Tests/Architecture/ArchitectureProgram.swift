import Foundation

/// `architecture [--rules | --no-builds] [--markdown] [REPOSITORY]`: compares the sources of Koober's three
/// architectures.
///
/// Exits with 1 if a rule is broken. `--rules` prints nothing but broken rules.
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

/// The measured sources.
struct Koober {
    let architectures: [Module]
    let kit: Module
    let screens: Module
    let client: Module
    /// The modules that declare the types of the wire.
    let wire: [Module]
    /// The program that links all of them.
    let program: Module
    /// The tests of each architecture, in the order of `architectures`.
    let tests: [Module]
    /// The tests that run against every architecture.
    let scenarios: Module

    /// - Parameter repository: the root of the repository.
    /// - Throws: `NoSources` if a folder is empty, or a file error if it does not exist.
    init(repository: URL) throws {
        let client = repository.appending(path: "Client/Sources")
        func module(_ name: String) throws -> Module { try Module(name: name, folder: client.appending(path: name)) }
        architectures = try ["KooberMVVM", "KooberRedux", "KooberElements"].map(module)
        kit = try module("KooberKit")
        screens = try module("KooberScreens")
        self.client = try module("KooberClient")
        let shared = repository.appending(path: "Shared/Sources")
        wire = try ["PouchWire", "PouchContract"].map {
            try Module(name: $0, folder: shared.appending(path: $0))
        }
        program = try module("koober")
        let tests = repository.appending(path: "Tests")
        self.tests = try architectures.map { architecture in
            let name = String(architecture.name.dropFirst("Koober".count))
            return try Module(name: name, folder: tests.appending(path: "ClientTests/Koober/" + name))
        }
        scenarios = try Module(name: "KooberScenarios", folder: tests.appending(path: "KooberScenarios"))
    }

    var modules: [Module] { architectures + [kit, screens, client] }
}
