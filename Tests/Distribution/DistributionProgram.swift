import Foundation

// `make` compiles this program and the module as one, without SwiftPM.
#if canImport(ToolArguments)
    import ToolArguments
#endif

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
        let command = CommandLine.arguments.dropFirst().first
        let options: Set<String> = command == "package" ? ["--version", "--out", "--url"] : []
        let flags: Set<String> = command == "package" ? ["--uncommitted"] : []
        let folders = ["digest": 2, "changes": 2][command ?? ""] ?? 0
        let arguments = ToolArguments.read(
            help: usage, flags: flags, options: options, words: (folders + 1)...(folders + 1))
        do {
            switch arguments.words.first {
            case "package": try writePackage(arguments)
            case "modules": try printModules()
            case "digest": try writeDigest(Array(arguments.words.dropFirst()))
            case "changes": try printChanges(Array(arguments.words.dropFirst()))
            case let word: throw ToolArguments.Refusal(text: "There is no command \(word ?? "").")
            }
        } catch let error as ToolArguments.Refusal {
            ToolArguments.refuse(error.text)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    // MARK: Packages

    private static var repository: URL { URL(filePath: FileManager.default.currentDirectoryPath) }

    private static func writePackage(_ arguments: ToolArguments) throws {
        guard let version = arguments.value("--version"), let folder = arguments.value("--out") else {
            throw ToolArguments.Refusal(text: "package needs --version and --out.")
        }
        let url = arguments.value("--url")
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
            allowsUncommitted: arguments.has("--uncommitted"))
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
        let folders = arguments.map { URL(filePath: $0) }
        print(APIChanges(from: try APIDigest.all(in: folders[0]), to: try APIDigest.all(in: folders[1])).text)
    }
}
