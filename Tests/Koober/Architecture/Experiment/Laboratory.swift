import Foundation

/// A copy of Koober with its scenarios, in which changes are tried. It is kept, so that later builds are incremental.
struct Laboratory {
    private static let copied = [
        "Client", "Shared", "Tests/ClientTesting", "Tests/Koober/Scenarios", "Tests/Koober/Tests",
    ]

    let folder: URL
    private let repository: URL

    init(of repository: URL) throws {
        self.repository = repository
        folder = repository.appending(path: "Tests/.build-architecture/tree")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try restore()
        try LaboratoryPackage.write(to: folder)
    }

    /// Undoes all changes. Files that are as they were are not written, so that they are not built again.
    func restore() throws {
        let sources = Set(try Self.copied.flatMap { try paths(under: $0, in: repository) })
        for path in try Self.copied.flatMap({ try paths(under: $0, in: folder) }) where !sources.contains(path) {
            try FileManager.default.removeItem(at: folder.appending(path: path))
        }
        for path in sources {
            try Self.write(try Data(contentsOf: repository.appending(path: path)), to: folder.appending(path: path))
        }
    }

    /// Writes the file if it has another content.
    static func write(_ content: Data, to file: URL) throws {
        if (try? Data(contentsOf: file)) == content { return }
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try content.write(to: file)
    }

    private func paths(under path: String, in root: URL) throws -> [String] {
        let base = root.appending(path: path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: base.path, isDirectory: &isFolder) else { return [] }
        guard isFolder.boolValue else { return [path] }
        return try FileManager.default.subpathsOfDirectory(atPath: base.path).filter { sub in
            !sub.split(separator: "/").contains { $0.hasPrefix(".build") || $0 == "Package.resolved" }
                && (try? base.appending(path: sub).resourceValues(forKeys: [.isRegularFileKey]))?.isRegularFile == true
        }.map { path + "/" + $0 }
    }

    /// - Throws: `CommandFailed` if the patch does not fit the sources any more.
    func apply(_ patch: Patch, reversed: Bool = false) throws {
        // Otherwise git would look for the files in the repository around this folder.
        try Command(
            ["git", "apply", "--whitespace=nowarn"] + (reversed ? ["-R"] : []) + [patch.file.path], in: folder,
            environment: ["GIT_CEILING_DIRECTORIES": folder.deletingLastPathComponent().path]
        ).run()
    }

    /// Adds a line to the end of a file.
    func append(_ line: String, to path: String) throws {
        let file = folder.appending(path: path)
        let text = try String(contentsOf: file, encoding: .utf8) + line + "\n"
        try text.write(to: file, atomically: false, encoding: .utf8)
    }

    /// Builds a target, and what it depends on.
    func build(_ target: String) throws -> Build { try build(["--target", target]) }

    /// Builds the scenarios with all architectures.
    func buildScenarios() throws { _ = try build(["--build-tests"]) }

    private func build(_ arguments: [String]) throws -> Build {
        let command = Command(["swift", "build"] + arguments, in: folder)
        var output = ""
        let time = try ContinuousClock().measure { output = try command.run() }
        return Build(modules: Build.modules(in: output), time: time)
    }

    /// - Throws: `CommandFailed` with the failures if a scenario does not pass.
    func runScenarios(in architecture: String) throws {
        let environment = ["KOOBER_ARCHITECTURE": architecture]
        try Command(["swift", "test", "--skip-build"], in: folder, environment: environment).run()
    }

    /// Returns the files of the architecture's own tests that no longer compile.
    func brokenTests(of architecture: String) throws -> [String] {
        let name = String(architecture.dropFirst("Koober".count))
        let tests = folder.appending(path: "Tests/Koober/Tests/" + name)
        guard FileManager.default.fileExists(atPath: tests.path) else { return [] }
        let environment = ["KOOBER_TESTS": name]
        do {
            try Command(["swift", "build", "--target", name + "Tests"], in: folder, environment: environment).run()
            return []
        } catch {
            let files = error.output.matches(of: /([A-Za-z+]+\.swift):\d+:\d+: error:/).map { String($0.output.1) }
            // Otherwise something else has failed.
            guard !files.isEmpty else { throw error }
            return Set(files).sorted()
        }
    }
}

/// The modules that a build compiled, and its time.
struct Build {
    let modules: Set<String>
    let time: Duration

    /// The modules that a log of SwiftPM names as compiled.
    static func modules(in output: String) -> Set<String> {
        Set(output.matches(of: /(?:Compiling|Emitting module) (Koober[A-Za-z]*)/).map { String($0.output.1) })
    }
}
