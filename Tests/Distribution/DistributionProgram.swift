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
        let command = CommandLine.arguments.dropFirst().first ?? ""
        let isPackage = command == "package"
        let count = ["digest", "changes"].contains(command) ? 3 : 1
        let arguments = ToolArguments.read(
            help: usage, flags: isPackage ? ["--uncommitted"] : [],
            options: isPackage ? ["--version", "--out", "--url"] : [], words: count...count)
        do {
            switch arguments.words.first {
            case "package": try writePackage(arguments)
            case "modules": for module in try distribution().modules { print(module) }
            case "digest": try writeDigest(arguments.words[1], to: arguments.words[2])
            case "changes":
                let digests = try arguments.words.dropFirst().map { try APIDigest.all(in: URL(filePath: $0)) }
                print(APIChanges(from: digests[0], to: digests[1]).text)
            case let word: throw ToolArguments.Refusal(text: "There is no command \(word ?? "").")
            }
        } catch let error as ToolArguments.Refusal {
            ToolArguments.refuse(error.text)
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            exit(1)
        }
    }

    private static var repository: URL { URL(filePath: FileManager.default.currentDirectoryPath) }

    private static func writePackage(_ arguments: ToolArguments) throws {
        guard let version = arguments.value("--version"), let folder = arguments.value("--out") else {
            throw ToolArguments.Refusal(text: "package needs --version and --out.")
        }
        guard let version = Version(version) else {
            throw DistributionError(
                "\(version) is not a semantic version. Write MAJOR.MINOR.PATCH, such as 1.2.0 or 2.0.0-beta.1.")
        }
        // Also the short form for SSH, such as git@host:owner/pouch-sdk.
        if let url = arguments.value("--url"), !url.contains("://"), !url.contains(/^[^\/\s]+@[^\/\s]+:/) {
            throw DistributionError("\(url) is not the URL of a repository, such as https://host/owner/pouch-sdk.")
        }
        try Release(
            repository: repository, version: version, url: arguments.value("--url"), folder: URL(filePath: folder),
            allowsUncommitted: arguments.has("--uncommitted")
        ).write()
    }

    private static func distribution() throws -> Distribution {
        try Distribution(
            shared: .read(repository.appending(path: "Shared")), client: .read(repository.appending(path: "Client")),
            sdkPackage: .init(identity: "pouch-sdk", url: "", lower: "1.0.0", upper: "2.0.0"))
    }

    private static func writeDigest(_ symbols: String, to folder: String) throws {
        let distribution = try distribution()
        for target in distribution.sdk.targets + distribution.extras.targets
        where distribution.modules.contains(target.name) {
            let graphs = try SymbolGraph.all(of: target.name, in: URL(filePath: symbols))
            guard !graphs.isEmpty else { continue }
            let exports = Exports.lines(inSourcesAt: repository.appending(path: target.folder))
            try APIDigest(target.name, graphs, exports: exports).write(to: URL(filePath: folder))
        }
    }
}
