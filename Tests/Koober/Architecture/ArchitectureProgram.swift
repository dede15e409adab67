import Foundation

// `make` compiles this program and the module as one, without SwiftPM.
#if canImport(ToolArguments)
    import ToolArguments
#endif

/// Compares the sources of Koober's three architectures.
@main
struct ArchitectureProgram {
    private static let help = """
        usage: architecture [--rules | --no-builds] [--markdown] [REPOSITORY]

        Compares the sources of Koober's three architectures, and tries three changes in each.

          REPOSITORY   the root of the repository (.)
          --rules      prints nothing but broken rules, and patches of changes that no longer apply
          --no-builds  leaves out the changes, whose builds take minutes and 141 MB
          --markdown   prints a document

        Exits with 1 if a rule is broken, if a patch of a change no longer applies, or if a build or a scenario fails.
        """

    static func main() {
        do {
            try run()
        } catch {
            note("\(error)")
            exit(1)
        }
    }

    private static func run() throws {
        let arguments = ToolArguments.read(
            help: help, flags: ["--rules", "--no-builds", "--markdown"], words: 0...1)
        let repository = URL(filePath: arguments.words.first ?? ".")
        let koober = try Koober(repository: repository)
        if !arguments.has("--rules") {
            let experiment =
                arguments.has("--no-builds")
                ? nil : try Experiment(koober, repository: repository) { note($0) }
            print(Report(koober, experiment: experiment).text(markdown: arguments.has("--markdown")))
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
        let client = repository.appending(path: "Client/Koober/Sources")
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
        let tests = repository.appending(path: "Tests/Koober")
        self.tests = try architectures.map { architecture in
            let name = String(architecture.name.dropFirst("Koober".count))
            return try Module(name: name, folder: tests.appending(path: "Tests/" + name))
        }
        scenarios = try Module(name: "KooberScenarios", folder: tests.appending(path: "Scenarios"))
    }

    var modules: [Module] { architectures + [kit, screens, client] }
}
