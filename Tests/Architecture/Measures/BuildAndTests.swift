import Foundation

/// The time that building takes: the whole package, and an architecture after a change of one of its files.
struct BuildTimes {
    /// A clean build of all targets of the package.
    let whole: Duration
    /// The median of three builds of each architecture, each after touching one file.
    let incremental: [Duration]
    /// The touched files.
    let leaves: [String]

    /// - Parameter feature: the feature whose file is touched.
    /// - Throws: `BuildFailed`.
    init(of modules: [Module], repository: URL, feature: String) throws {
        let client = repository.appending(path: "Client")
        let build = [
            "swift", "build", "--package-path", client.path, "--scratch-path",
            client.appending(path: ".build-architecture").path,
        ]
        let leaves = modules.map { module in
            module.files.first { Features.feature(of: $0) == feature && $0.folders.contains("Onboarding") }.map {
                module.name + "/" + $0.path
            } ?? ""
        }
        // Fetching dependencies does not count.
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
        // A pipe that is not read would fill up and block the process.
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

/// The test files, and those that use a network or a disk.
struct UnitTests {
    static let outside: Set = [
        "URLSession", "URLSessionTransport", "FileManager", "FileHandle", "FileSessionStore", "temporaryDirectory",
        "Process",
        "NIOCore", "NIOPosix", "NIOSSL", "GRDB", "SQLiteStore", "FoundationNetworking", "AsyncHTTPClient", "socket",
    ]

    let files: Int
    let touching: [Place]

    init(_ modules: [Module]) {
        files = modules.reduce(0) { $0 + $1.files.count }
        touching = modules.flatMap { module in
            module.files.compactMap { file in
                file.tokens.first { Self.outside.contains($0.text) }.map {
                    Place(module: module.name, path: file.path, line: $0.line, what: $0.text)
                }
            }
        }
    }
}
