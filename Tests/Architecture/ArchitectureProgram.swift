import Foundation

/// `architecture [--rules | --no-builds] [--markdown] [REPOSITORY]`: compares the sources of Koober's three
/// architectures.
///
/// Exits with 1 if a rule is broken, if a patch of a change does not apply any more, or if a build or a scenario fails.
/// `--rules` prints nothing but broken rules and such patches. `--no-builds` leaves out what takes minutes.
@main
struct ArchitectureProgram {
    static func main() {
        do {
            try run()
        } catch {
            note("\(error)")
            exit(1)
        }
    }

    private static func run() throws {
        let arguments = CommandLine.arguments.dropFirst()
        let repository = URL(filePath: arguments.first { !$0.hasPrefix("--") } ?? ".")
        let koober = try Koober(repository: repository)
        if !arguments.contains("--rules") {
            let experiment =
                arguments.contains("--no-builds")
                ? nil : try Experiment(koober, repository: repository) { note($0) }
            print(Report(koober, experiment: experiment).text(markdown: arguments.contains("--markdown")))
        }
        let violations = Rules(koober).violations
        for violation in violations {
            note((["Broken: " + violation.rule] + violation.places.map { "  \($0)" }).joined(separator: "\n"))
        }
        let outdated = try Change.all(in: repository, of: koober.architectures.map(\.name)).flatMap(\.allPatches)
            .compactMap { $0.misfit(in: repository) }
        for misfit in outdated { note(misfit) }
        if !violations.isEmpty || !outdated.isEmpty { exit(1) }
    }

    /// Standard output is for the report.
    private static func note(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }
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
