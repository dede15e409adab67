import Foundation

/// The sources of a target.
struct Module {
    let name: String
    let files: [SourceFile]

    init(name: String, files: [SourceFile]) {
        self.name = name
        self.files = files.sorted { $0.path < $1.path }
    }

    /// - Throws: where there is no such folder, or nothing in it, so that what has moved is not measured as nothing.
    init(name: String, folder: URL) throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        guard !paths.isEmpty else { throw NoSources(folder: folder.path) }
        self.init(
            name: name,
            files: try paths.map { path in
                SourceFile(path: path, source: try String(contentsOf: folder.appending(path: path), encoding: .utf8))
            })
    }

    var lineCount: Int { files.reduce(0) { $0 + $1.lineCount } }
    var types: [TypeDeclaration] { files.flatMap(\.types).filter { $0.kind != .extension } }
    var protocols: Set<String> { Set(types.filter { $0.kind == .protocol }.map(\.name)) }

    /// What each type takes over, with its extensions.
    var inherited: [String: Set<String>] {
        files.flatMap(\.types).reduce(into: [:]) { $0[$1.name, default: []].formUnion($1.inherited) }
    }

    /// The types that conform to a protocol of the module.
    var implementations: Set<String> {
        let protocols = protocols
        return Set(inherited.filter { !$0.value.isDisjoint(with: protocols) }.keys)
            .intersection(types.filter { $0.kind != .protocol }.map(\.name))
    }

    /// - Parameter isFound: of the token at an index.
    func places(_ isFound: (_ tokens: [Token], _ index: Int) -> Bool) -> [Place] {
        files.flatMap { file in
            file.tokens.indices.filter { isFound(file.tokens, $0) }.map {
                Place(module: name, path: file.path, line: file.tokens[$0].line, what: file.tokens[$0].text)
            }
        }
    }
}

struct NoSources: Error {
    let folder: String
}
