import Foundation

/// The sources that are measured.
struct Koober {
    let architectures: [Module]
    let kit: Module
    let screens: Module
    let client: Module
    /// Where types of the wire are declared.
    let wire: [Module]
    /// Of the repository; of each architecture those in the folder of its name.
    let tests: Module

    /// - Parameter repository: its root.
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
        tests = try Module(name: "Tests", folder: repository.appending(path: "Tests/ClientTests/Koober"))
    }

    var modules: [Module] { architectures + [kit, screens, client] }
}
