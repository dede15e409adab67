import Foundation

/// The sources that are measured.
struct Koober {
    let architectures: [Module]
    let kit: Module
    let screens: Module
    let client: Module
    /// Where types of the wire are declared.
    let wire: [Module]
    /// That links all of them.
    let program: Module
    /// Those of each architecture, in the order of these.
    let tests: [Module]
    /// What all architectures are tested with.
    let scenarios: Module

    /// - Parameter repository: its root.
    /// - Throws: where a folder is not there, or has no sources.
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
