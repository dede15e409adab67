import Foundation

/// A change of Koober, kept as a patch for what all architectures share and one for each of them.
struct Change {
    /// The name of its folder.
    let name: String
    /// The part that all architectures need: in the model layer, the screens, the terminal and the scenarios.
    let shared: Patch
    /// By architecture, such as `KooberMVVM`; none for an architecture in which nothing changes.
    let patches: [String: Patch]

    /// The changes in the repository, by name.
    static func all(in repository: URL, of architectures: [String]) throws -> [Change] {
        let folder = repository.appending(path: "Tests/Koober/Architecture/Changes")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }.sorted()
            .map { try Change(name: $0, folder: folder.appending(path: $0), architectures: architectures) }
    }

    private init(name: String, folder: URL, architectures: [String]) throws {
        self.name = name
        shared = try Patch(folder.appending(path: "shared.patch"))
        let files = architectures.map {
            ($0, folder.appending(path: $0.dropFirst("Koober".count).lowercased() + ".patch"))
        }.filter { FileManager.default.fileExists(atPath: $1.path) }
        patches = try Dictionary(uniqueKeysWithValues: files.map { ($0, try Patch($1)) })
    }

    var allPatches: [Patch] { [shared] + patches.values.sorted { $0.file.path < $1.file.path } }
}

/// A patch, with the lines that it adds and removes.
struct Patch {
    /// The part of Koober that a file belongs to.
    enum Role: String, CaseIterable {
        case model, screens, terminal, containers, features, tests

        init(path: String) {
            let parts = path.split(separator: "/")
            switch path.hasPrefix("Client/Koober/Sources/") && parts.count > 4 ? parts[3] : "Tests" {
            case "Tests": self = .tests
            case "KooberKit", "KooberClient": self = .model
            case "KooberScreens", "KooberTexts": self = .screens
            case "KooberTerminal", "koober": self = .terminal
            default: self = parts.contains("Containers") ? .containers : .features
            }
        }
    }

    struct File {
        let path: String
        var isNew = false
        var added = 0
        var removed = 0

        var role: Role { Role(path: path) }
    }

    let file: URL
    let files: [File]

    init(_ file: URL) throws {
        self.file = file
        files = Self.files(in: try String(contentsOf: file, encoding: .utf8))
    }

    static func files(in text: String) -> [File] {
        var files: [File] = []
        var isInHunk = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("diff --git ") {
                let path = line.split(separator: " ").last.map { $0.dropFirst("b/".count) } ?? ""
                files.append(File(path: String(path)))
                isInHunk = false
            } else if line.hasPrefix("@@") {
                isInHunk = true
            } else if let last = files.indices.last {
                if line.hasPrefix("new file") { files[last].isNew = true }
                if isInHunk, line.hasPrefix("+") { files[last].added += 1 }
                if isInHunk, line.hasPrefix("-") { files[last].removed += 1 }
            }
        }
        return files
    }

    /// Why the patch does not apply to the sources any more; nil if it does.
    func misfit(in repository: URL) -> String? {
        do { try Command(["git", "apply", "--check", file.path], in: repository).run() } catch {
            let advice = "apply what still fits with git apply --reject, mend it, and run git diff."
            return "\(error)\nMake the patch again: \(advice)"
        }
        return nil
    }

    /// The files of these roles, as in "3 files, +12 −1".
    func size(of roles: Set<Role> = Set(Role.allCases)) -> String {
        let counted = files.filter { roles.contains($0.role) }
        guard !counted.isEmpty else { return "none" }
        let (added, removed) = counted.reduce((0, 0)) { ($0.0 + $1.added, $0.1 + $1.removed) }
        return "\(counted.count) \(counted.count == 1 ? "file" : "files"), +\(added) −\(removed)"
    }

    /// The tests that the change edits or extends.
    var changedTests: [String] {
        files.filter { $0.role == .tests && !$0.isNew }.map { URL(filePath: $0.path).lastPathComponent }
    }
}
