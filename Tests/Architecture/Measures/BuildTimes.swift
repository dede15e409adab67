import Foundation

/// What it costs to build an architecture after a change of one of its files.
struct BuildTimes {
    /// All targets of the package, from nothing.
    let whole: Duration
    /// One file of each architecture touched, then its target built; the median of three.
    let incremental: [Duration]
    /// The files that were touched.
    let leaves: [String]

    /// - Throws: where something does not build.
    init(of modules: [Module], repository: URL, feature: String) throws {
        let client = repository.appending(path: "Client")
        let build = [
            "swift", "build", "--package-path", client.path, "--scratch-path",
            client.appending(path: ".build-architecture").path,
        ]
        let leaves = modules.map { module in
            module.files.first { $0.folders.contains(feature) && $0.folders.contains("Onboarding") }.map {
                module.name + "/" + $0.path
            } ?? ""
        }
        // What is fetched is no part of it.
        try Self.run(["swift", "package", "resolve"] + build.dropFirst(2))
        try Self.run(["swift", "package", "clean"] + build.dropFirst(2))
        whole = try Self.time { try Self.run(build) }
        incremental = try zip(modules, leaves).map { module, leaf in
            let file = client.appending(path: "Sources/" + leaf)
            return try (0..<3).map { _ in
                try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: file.path)
                return try Self.time { try Self.run(build + ["--target", module.name]) }
            }.sorted()[1]
        }
        self.leaves = leaves
    }

    private static func time(_ work: () throws -> Void) rethrows -> Duration {
        try ContinuousClock().measure(work)
    }

    private static func run(_ command: [String]) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        // Nobody reads what it says, and a full pipe would stop it.
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BuildFailed(command: command.joined(separator: " ")) }
    }
}

struct BuildFailed: Error, CustomStringConvertible {
    let command: String

    var description: String { "This failed: " + command }
}
