import Foundation

/// A version of the SDK, written into git repositories that programs link by URL.
struct Release {
    let repository: URL
    let version: Version
    /// The address under which the SDK is published; nil before it is.
    let url: String?
    /// The folder that has a repository for each package.
    let folder: URL
    /// Whether sources that are not committed may be released, as in a test.
    let allowsUncommitted: Bool

    private static let sources = ["Shared", "Client", "Tests/Linking/Sources", "LICENSE"]

    /// Writes the SDK, and with an address the extras, which name the SDK by it. Checks everything that can be checked
    /// before it changes a folder.
    func write() throws {
        let names = [sdkPackage.identity] + (url == nil ? [] : [sdkPackage.identity + "-extras"])
        let targets = names.map { GitFolder($0, in: folder) }
        for target in targets {
            try target.requireFree(version)
            try target.requireAuthor()
        }
        let revision = allowsUncommitted ? nil : try requireCommitted()
        let distribution = try Distribution(
            shared: .read(repository.appending(path: "Shared")), client: .read(repository.appending(path: "Client")),
            sdkPackage: sdkPackage, addedFiles: addedFiles)
        let releases = Array(zip([distribution.sdk, distribution.extras], targets))
        let pages = try releases.map { package, _ in
            [
                "Package.swift": try ManifestText(package).text(),
                "README.md": try readMe(of: package, allProducts: distribution.products),
                "CHANGELOG.md": try changelog(),
            ]
        }
        for ((package, target), pages) in zip(releases, pages) {
            try target.prepare()
            try copy(package, to: target.url)
            for (name, text) in pages { try write(text, to: target.url.appending(path: name)) }
            try target.commit(version, from: revision)
        }
        // After all commits, because a version with a tag cannot be written again.
        for (package, target) in releases {
            try target.tag(version)
            let products = package.products.map(\.name).joined(separator: ", ")
            print("\(target.url.path) has Pouch's SDK \(version): \(products).")
        }
        if url == nil {
            print("Pass URL=… to write the products that need third parties, too: they name the SDK by its URL.")
        }
    }

    /// The extras need this version or a later one that breaks nothing.
    private var sdkPackage: PackageManifest.Dependency.Remote {
        let url = url ?? "pouch-sdk"
        let identity = url.withoutGit.split(separator: "/").last?.lowercased() ?? url.lowercased()
        return .init(identity: identity, url: url, lower: "\(version)", upper: version.nextBreaking)
    }

    /// - Returns: the revision that has the sources.
    private func requireCommitted() throws -> String {
        let changes = try Command.output(["git", "-C", repository.path, "status", "--porcelain", "--"] + Self.sources)
        guard changes.isEmpty else {
            throw DistributionError(
                "Commit or remove these changes first, so that the release can be made again:\n" + changes)
        }
        return try Command.output(["git", "-C", repository.path, "rev-parse", "HEAD"])
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    // MARK: Files

    private var extraFiles: URL { repository.appending(path: "Client/Distribution") }

    /// The files in Resources/MODULE by module.
    private var addedFiles: [String: [String]] {
        get throws {
            func names(in folder: URL) throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }.sorted()
            }
            let resources = extraFiles.appending(path: "Resources")
            return try names(in: resources).reduce(into: [:]) { $0[$1] = try names(in: resources.appending(path: $1)) }
        }
    }

    private func copy(_ package: FlatPackage, to folder: URL) throws {
        var documented: [String] = []
        let added = try addedFiles
        for target in package.targets {
            let destination = folder.appending(path: "Sources/\(target.name)")
            let sources = repository.appending(path: target.folder)
            // Only what git knows or would add: no builds, no files of an editor.
            let files = try Command.output(
                ["git", "-C", sources.path, "ls-files", "-z", "--cached", "--others", "--exclude-standard"])
            for file in Set(files.split(separator: "\0").map(String.init)).sorted() {
                let source = sources.appending(path: file)
                guard FileManager.default.fileExists(atPath: source.path) else { continue }
                try copy(source, to: destination.appending(path: file))
                if file.contains(".docc/"), documented.last != target.name { documented.append(target.name) }
            }
            for file in added[target.name] ?? [] {
                let resource = extraFiles.appending(path: "Resources/\(target.name)/\(file)")
                try copy(resource, to: destination.appending(path: file))
            }
        }
        try copy(repository.appending(path: "LICENSE"), to: folder.appending(path: "LICENSE"))
        try write(".build/\n.swiftpm/\nPackage.resolved\n", to: folder.appending(path: ".gitignore"))
        guard !documented.isEmpty else { return }
        let targets = documented.map { "        - \($0)\n" }.joined()
        let index = "version: 1\nbuilder:\n  configs:\n    - documentation_targets:\n" + targets
        try write(index, to: folder.appending(path: ".spi.yml"))
    }

    /// The page of a package, with the address and the version filled in. It has a line for each product.
    private func readMe(of package: FlatPackage, allProducts: [String]) throws -> String {
        let name = package.dependencies.isEmpty ? "README.md" : "Extras.md"
        let page = try String(contentsOf: extraFiles.appending(path: name), encoding: .utf8)
        if let product = package.products.first(where: { !page.contains("`\($0.name)`") }) {
            throw DistributionError("Client/Distribution/\(name) does not say what the product \(product.name) has.")
        }
        if let other = Self.products(inTablesOf: page).first(where: { !allProducts.contains($0) }) {
            throw DistributionError("Client/Distribution/\(name) lists \(other), which is no product.")
        }
        let program = repository.appending(path: "Tests/Linking/Sources/buy/Buy.swift")
        let extrasURL = url.map { $0.withoutGit + "-extras" }
        return page.replacing("SDK_REQUIREMENT", with: version.requirement)
            .replacing("SDK_IDENTITY", with: sdkPackage.identity)
            .replacing("EXTRAS_URL", with: extrasURL ?? "URL-OF-THE-EXTRAS")
            .replacing("SDK_URL", with: url ?? "URL-OF-THIS-REPOSITORY")
            .replacing("BUY_SWIFT\n", with: try String(contentsOf: program, encoding: .utf8))
    }

    /// The products that the tables of a page list, each in the first column.
    static func products(inTablesOf page: String) -> [String] {
        page.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { row in
            row.split(separator: "|")[0].matches(of: /`(\w+)`/).map { String($0.1) }
        }
    }

    /// The changes of the SDK, of which those that are not released yet are this version's.
    private func changelog() throws -> String {
        try String(contentsOf: repository.appending(path: "Client/CHANGELOG.md"), encoding: .utf8)
            .replacing("\n## Unreleased\n", with: "\n## \(version)\n")
    }

    private func copy(_ source: URL, to destination: URL) throws {
        let parent = destination.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: source, to: destination)
    }

    private func write(_ text: String, to file: URL) throws { try Data(text.utf8).write(to: file) }
}

extension String {
    /// The address of a repository without its ending.
    fileprivate var withoutGit: String { hasSuffix(".git") ? String(dropLast(4)) : self }
}

/// A git repository that receives a commit and a tag with each version.
private struct GitFolder {
    let url: URL

    init(_ name: String, in folder: URL) { url = folder.appending(path: name) }
    private var exists: Bool { FileManager.default.fileExists(atPath: url.appending(path: ".git").path) }

    func requireFree(_ version: Version) throws {
        guard exists else {
            let files = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
            if files.isEmpty { return }
            throw DistributionError("\(url.path) has files and is not a git repository. Choose another OUT.")
        }
        guard try git("status", "--porcelain").isEmpty else {
            throw DistributionError("\(url.path) has changes that are not committed. Commit or remove them first.")
        }
        guard try git("tag", "--list", "\(version)").isEmpty else {
            throw DistributionError("\(url.path) already has the version \(version). A released version never changes.")
        }
    }

    /// Requires a name and an address for commits and tags, which git takes from its configuration.
    func requireAuthor() throws {
        // No repository has the root as its folder, so that there the configuration is that of a new repository.
        let folder = exists ? url.path : "/"
        for name in ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"] {
            guard (try? Command.output(["git", "-C", folder, "var", name], showsErrors: false)) != nil else {
                throw DistributionError(
                    "git does not know the author of a commit in \(url.path). Set user.name and user.email first.")
            }
        }
    }

    /// An empty repository, or that of the versions before without its files.
    func prepare() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        if !exists { try git("init", "--quiet", "--initial-branch", "main") }
        for file in try FileManager.default.contentsOfDirectory(atPath: url.path) where file != ".git" {
            try FileManager.default.removeItem(at: url.appending(path: file))
        }
    }

    func commit(_ version: Version, from revision: String?) throws {
        let message = "Version \(version)" + (revision.map { "\n\nWritten from Pouch's revision \($0)." } ?? "")
        // By force, because a person's own list of ignored files must not decide what is released.
        try git("add", "--all", "--force")
        try git("commit", "--quiet", "--allow-empty", "--message", message)
    }

    func tag(_ version: Version) throws {
        try git("tag", "--annotate", "\(version)", "--message", "Version \(version)")
    }

    @discardableResult
    private func git(_ arguments: String...) throws -> String {
        try Command.output(["git", "-C", url.path] + arguments)
    }
}

/// A semantic version without build metadata, which does not tell two releases apart.
struct Version: CustomStringConvertible {
    let major: Int
    let minor: Int
    let description: String

    /// nil unless the text is MAJOR.MINOR.PATCH, with a pre-release such as -beta.1 or without.
    init?(_ text: String) {
        guard
            let parts = text.wholeMatch(
                of: /(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(?:0|[1-9][0-9]{0,8})(?:-(?<pre>[0-9A-Za-z.-]+))?/),
            let major = Int(parts.1), let minor = Int(parts.2)
        else { return nil }
        let identifiers = parts.pre?.split(separator: ".", omittingEmptySubsequences: false) ?? []
        guard identifiers.allSatisfy({ $0.wholeMatch(of: /0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*/) != nil }) else {
            return nil
        }
        self.major = major
        self.minor = minor
        description = text
    }

    /// The first version that may break a program of this one. Before 1.0 a minor version may.
    var nextBreaking: String { major > 0 ? "\(major + 1).0.0" : "0.\(minor + 1).0" }

    /// In a manifest, this version and later ones that break nothing.
    var requirement: String { major > 0 ? "from: \"\(self)\"" : ".upToNextMinor(from: \"\(self)\")" }
}
