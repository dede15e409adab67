import Foundation

/// Releases the SDK as packages that programs link by URL, and lists its public API.
@main
struct DistributionProgram {
    private static let usage = """
        usage: distribution package --version VERSION --out FOLDER [--url URL] [--uncommitted]
               distribution modules
               distribution digest SYMBOLS FOLDER
               distribution changes FOLDER LATER-FOLDER

        In the repository:

        package   writes FOLDER/pouch-sdk, and with the URL under which that is published also FOLDER/pouch-sdk-extras:
                  git repositories with a commit and a tag for the version. --uncommitted includes uncommitted sources.
        modules   prints the modules that programs can import.
        digest    writes the public API, from the symbol graphs in SYMBOLS, as text files by module.
        changes   names the differences between two folders of such files, and the kind of version that they need.
        """

    static func main() {
        var arguments = Array(CommandLine.arguments.dropFirst())
        do {
            switch arguments.isEmpty ? "" : arguments.removeFirst() {
            case "package": try writePackage(&arguments)
            case "modules": try printModules()
            case "digest": try writeDigest(arguments)
            case "changes": try printChanges(arguments)
            case "--help", "-h": print(usage)
            default: throw Usage()
            }
        } catch is Usage {
            fail(usage, status: 64)
        } catch {
            fail("\(error)", status: 1)
        }
    }

    private struct Usage: Error {}

    private static func fail(_ text: String, status: Int32) -> Never {
        FileHandle.standardError.write(Data((text + "\n").utf8))
        exit(status)
    }

    // MARK: Packages

    private static var repository: URL { URL(filePath: FileManager.default.currentDirectoryPath) }

    private static func writePackage(_ arguments: inout [String]) throws {
        let version = try value("--version", &arguments)
        let folder = try value("--out", &arguments)
        let url = try value("--url", &arguments)
        let allowsUncommitted = flag("--uncommitted", &arguments)
        guard let version, let folder, arguments.isEmpty else { throw Usage() }
        guard let version = Version(version) else {
            throw DistributionError(
                "\(version) is not a semantic version. Write MAJOR.MINOR.PATCH, such as 1.2.0 or 2.0.0-beta.1.")
        }
        // Also the short form for SSH, such as git@host:owner/pouch-sdk.
        guard url.map({ $0.contains("://") || $0.contains(/^[^\/\s]+@[^\/\s]+:/) }) ?? true else {
            throw DistributionError(
                "\(url ?? "") is not the URL of a repository, such as https://host/owner/pouch-sdk.")
        }
        let release = Release(
            repository: repository, version: version, url: url, folder: URL(filePath: folder),
            allowsUncommitted: allowsUncommitted)
        try release.write()
    }

    private static func printModules() throws {
        for module in try distribution().modules { print(module) }
    }

    private static func distribution() throws -> Distribution {
        try Distribution(
            shared: .read(repository.appending(path: "Shared")), client: .read(repository.appending(path: "Client")),
            sdkPackage: .init(identity: "pouch-sdk", url: "", lower: "1.0.0", upper: "2.0.0"))
    }

    // MARK: Public API

    private static func writeDigest(_ arguments: [String]) throws {
        guard arguments.count == 2 else { throw Usage() }
        let distribution = try distribution()
        for target in distribution.sdk.targets + distribution.extras.targets
        where distribution.modules.contains(target.name) {
            let graphs = try SymbolGraph.all(of: target.name, in: URL(filePath: arguments[0]))
            guard !graphs.isEmpty else { continue }
            let exports = Exports.lines(inSourcesAt: repository.appending(path: target.folder))
            try APIDigest(target.name, graphs, exports: exports).write(to: URL(filePath: arguments[1]))
        }
    }

    private static func printChanges(_ arguments: [String]) throws {
        guard arguments.count == 2 else { throw Usage() }
        let folders = arguments.map { URL(filePath: $0) }
        print(APIChanges(from: try APIDigest.all(in: folders[0]), to: try APIDigest.all(in: folders[1])).text)
    }

    // MARK: Arguments

    private static func flag(_ name: String, _ arguments: inout [String]) -> Bool {
        guard let index = arguments.firstIndex(of: name) else { return false }
        arguments.remove(at: index)
        return true
    }

    private static func value(_ name: String, _ arguments: inout [String]) throws -> String? {
        guard let index = arguments.firstIndex(of: name) else { return nil }
        guard index + 1 < arguments.count else { throw Usage() }
        defer { arguments.removeSubrange(index...index + 1) }
        return arguments[index + 1]
    }
}
