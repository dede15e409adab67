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
        let arguments = ToolArguments.read(help: help, flags: ["--rules", "--no-builds", "--markdown"], words: 0...1)
        let repository = URL(filePath: arguments.words.first ?? ".")
        let koober = try Koober(repository: repository)
        if !arguments.has("--rules") {
            let builds = !arguments.has("--no-builds")
            let experiment = builds ? try Experiment(koober, repository: repository) { note($0) } : nil
            print(Report(koober, experiment: experiment).text(markdown: arguments.has("--markdown")))
        }
        var isBroken = false
        func report(_ text: String) {
            note(text)
            isBroken = true
        }
        for (rule, places) in Rules(koober).violations {
            report((["Broken: " + rule] + places.map { "  \($0)" }).joined(separator: "\n"))
        }
        for change in try Change.all(in: repository, of: koober.architectures.map(\.name)) {
            for misfit in change.allPatches.compactMap({ $0.misfit(in: repository) }) { report(misfit) }
        }
        if isBroken { exit(1) }
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

    /// - Throws: `NoSources` if a folder is empty, or a file error if it does not exist.
    init(repository: URL) throws {
        func module(_ path: String) throws -> Module {
            let folder = repository.appending(path: path)
            return try Module(name: folder.lastPathComponent, folder: folder)
        }
        func client(_ name: String) throws -> Module { try module("Client/Koober/Sources/" + name) }
        architectures = try ["KooberMVVM", "KooberRedux", "KooberElements"].map(client)
        kit = try client("KooberKit")
        screens = try client("KooberScreens")
        self.client = try client("KooberClient")
        wire = try ["PouchWire", "PouchContract"].map { try module("Shared/Sources/" + $0) }
        program = try client("koober")
        tests = try architectures.map { try module("Tests/Koober/Tests/\($0.name.dropFirst("Koober".count))") }
        scenarios = try Module(name: "KooberScenarios", folder: repository.appending(path: "Tests/Koober/Scenarios"))
    }

    var modules: [Module] { architectures + [kit, screens, client] }
}
