import Foundation

struct SourceFile {
    /// Within its module.
    let path: String
    let lineCount: Int
    let tokens: [Token]
    let types: [TypeDeclaration]
    /// Of no type.
    let globals: [Member]

    init(path: String, source: String) {
        self.path = path
        lineCount = source.count(where: \.isNewline)
        tokens = Lexer.tokens(of: source)
        (types, globals) = DeclarationParser.declarations(in: tokens)
    }

    /// What the file is named after.
    var concept: String { String(path.split(separator: "/").last?.split(separator: ".").first ?? "") }
    /// The innermost last.
    var folders: [String] { path.split(separator: "/").dropLast().map(String.init) }
    var allTypes: [TypeDeclaration] {
        func all(_ types: [TypeDeclaration]) -> [TypeDeclaration] { types.flatMap { [$0] + all($0.nested) } }
        return all(types)
    }
    var words: Set<String> { Set(tokens.filter(\.isTypeName).map(\.text)) }
}
