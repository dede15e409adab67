import Foundation

/// The sources of a target.
struct Module {
    let name: String
    let files: [SourceFile]

    init(name: String, files: [SourceFile]) {
        self.name = name
        self.files = files.sorted { $0.path < $1.path }
    }

    /// - Throws: if the folder does not exist or has no sources, so that a moved module is not measured as empty.
    init(name: String, folder: URL) throws {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
        guard !paths.isEmpty else { throw NoSources(folder: folder.path) }
        let files = try paths.map {
            SourceFile(path: $0, source: try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
        }
        self.init(name: name, files: files)
    }

    var lineCount: Int { files.reduce(0) { $0 + $1.lineCount } }
    var types: [TypeDeclaration] { files.flatMap(\.types).filter { $0.kind != .extension } }
    var protocols: Set<String> { Set(types.filter { $0.kind == .protocol }.map(\.name)) }

    /// The inheritance clauses of each type and its extensions.
    var inherited: [String: Set<String>] {
        files.flatMap(\.types).reduce(into: [:]) { $0[$1.name, default: []].formUnion($1.inherited) }
    }

    /// The types that conform to a protocol of the module.
    var implementations: Set<String> {
        let protocols = protocols
        return Set(inherited.filter { !$0.value.isDisjoint(with: protocols) }.keys)
            .intersection(types.filter { $0.kind != .protocol }.map(\.name))
    }

    /// - Parameter isFound: whether the token at the index counts.
    func places(_ isFound: (_ tokens: [Token], _ index: Int) -> Bool) -> [Place] {
        placesInFiles { isFound($0.tokens, $1) }
    }

    func placesInFiles(_ isFound: (_ file: SourceFile, _ index: Int) -> Bool) -> [Place] {
        files.flatMap { file in
            file.tokens.indices.filter { isFound(file, $0) }.map {
                place(file.tokens[$0].text, line: file.tokens[$0].line, in: file)
            }
        }
    }

    func place(_ what: String, line: Int, in file: SourceFile) -> Place {
        Place(module: name, path: file.path, line: line, what: what)
    }
}

struct NoSources: Error { let folder: String }

struct SourceFile {
    /// Relative to the module.
    let path: String
    let lineCount: Int
    let tokens: [Token]
    let types: [TypeDeclaration]
    /// The declarations outside of types.
    let globals: [Member]

    init(path: String, source: String) {
        self.path = path
        lineCount = source.count(where: \.isNewline)
        tokens = Lexer.tokens(of: source)
        (types, globals) = DeclarationParser.declarations(in: tokens)
    }

    /// The name of the file without its extension.
    var concept: String { String(path.split(separator: "/").last?.split(separator: ".").first ?? "") }
    /// The innermost last.
    var folders: [String] { path.split(separator: "/").dropLast().map(String.init) }
    var allTypes: [TypeDeclaration] {
        func all(_ types: [TypeDeclaration]) -> [TypeDeclaration] { types.flatMap { [$0] + all($0.nested) } }
        return all(types)
    }
    var importedModules: [String] {
        tokens.indices.filter { tokens.text(at: $0 - 1) == "import" }.map { tokens[$0].text }
    }
    var words: Set<String> { Set(tokens.filter(\.isTypeName).map(\.text)) }
}

/// A token in a source file.
struct Place: Hashable, CustomStringConvertible {
    let module: String
    let path: String
    let line: Int
    let what: String

    var description: String { "\(module)/\(path):\(line): \(what)" }
}
