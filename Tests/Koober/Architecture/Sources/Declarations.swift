/// A type, or an extension of one.
struct TypeDeclaration {
    enum Kind: String { case `class`, `struct`, `enum`, `actor`, `protocol`, `extension` }

    let kind: Kind
    /// For an extension, the extended type without its arguments.
    let name: String
    let modifiers: Set<String>
    /// The words of the inheritance clause.
    let inherited: [String]
    let lines: ClosedRange<Int>
    let members: [Member]
    let nested: [TypeDeclaration]

    var isReference: Bool { kind == .class || kind == .actor }
    var isPublic: Bool { modifiers.contains("public") || modifiers.contains("open") }

    /// The number of members that other modules see.
    var publicMembers: Int {
        let areImplied = isPublic && (kind == .protocol || kind == .extension)
        return members.count { $0.modifiers.contains("public") || areImplied || (isPublic && $0.keyword == "case") }
    }
}

/// A property, a function, an initializer or a case of a type or a file.
struct Member {
    let keyword: String
    let name: String
    let modifiers: Set<String>
    let isStored: Bool
    let line: Int

    var isVariable: Bool { keyword == "var" && isStored }
    var isStatic: Bool { modifiers.contains("static") || modifiers.contains("class") }
    /// Whether no other file of the module can set it.
    var isSetPrivately: Bool {
        !modifiers.isDisjoint(with: ["private", "fileprivate", "private(set)", "fileprivate(set)"])
    }
}

/// Finds the declarations of a file or a type. Skips the bodies of functions.
struct DeclarationParser {
    private static let modifiers: Set = [
        "public", "internal", "private", "fileprivate", "package", "open", "static", "final", "weak", "unowned", "lazy",
        "nonisolated", "override", "mutating", "required", "convenience", "dynamic", "optional", "indirect",
        "borrowing", "consuming", "distributed", "isolated",
    ]
    private static let words = modifiers.union([
        "class", "struct", "enum", "actor", "protocol", "extension", "func", "init", "deinit", "subscript", "var",
        "let", "case", "typealias", "associatedtype", "import", "}", "@", "#",
    ])

    private let tokens: [Token]
    private var index: Int
    private let end: Int
    private var modifiers: Set<String> = []
    private var types: [TypeDeclaration] = []
    private var members: [Member] = []

    static func declarations(in tokens: [Token]) -> (types: [TypeDeclaration], members: [Member]) {
        var parser = DeclarationParser(tokens, from: 0, to: tokens.count)
        parser.read()
        return (parser.types, parser.members)
    }

    private init(_ tokens: [Token], from start: Int, to end: Int) {
        (self.tokens, index, self.end) = (tokens, start, end)
    }

    private mutating func read() {
        while index < end {
            let token = tokens[index]
            if let kind = TypeDeclaration.Kind(rawValue: token.text), declaresType {
                readType(kind)
            } else if Self.modifiers.contains(token.text) || token.text == "class" {
                readModifier()
            } else if token.text == "@" {
                modifiers.insert("@" + (tokens.text(at: index + 1) ?? ""))
                index += 2
                if tokens.text(at: index) == "(" { index = tokens.end(ofGroupAt: index) }
            } else if ["var", "let", "func", "init", "subscript", "case"].contains(token.text) {
                readMember()
            } else if ["(", "[", "{"].contains(token.text) {
                index = tokens.end(ofGroupAt: index)
            } else {
                // Modifiers before another word belong to no declaration.
                index += 1
                if token.isWord { modifiers = [] }
            }
        }
    }

    /// Whether a type declaration starts here. `class` may be a modifier, and each keyword may be a name.
    private var declaresType: Bool {
        index + 1 < end && tokens[index + 1].isWord && !Self.words.contains(tokens[index + 1].text)
    }

    private mutating func readModifier() {
        let name = tokens[index].text
        index += 1
        guard tokens.text(at: index) == "(" else { return _ = modifiers.insert(name) }
        let close = tokens.end(ofGroupAt: index)
        modifiers.insert(name + tokens[index..<close].map(\.text).joined())
        index = close
    }

    private mutating func readType(_ kind: TypeDeclaration.Kind) {
        let first = tokens[index].line
        var name = tokens[index + 1].text
        index += 2
        while tokens.text(at: index) == ".", index + 1 < end {
            name = tokens[index + 1].text
            index += 2
        }
        let head = index
        while index < end, tokens[index].text != "{" { index += 1 }
        let close = tokens.end(ofGroupAt: index)
        var body = DeclarationParser(tokens, from: min(index + 1, end), to: max(index, close - 1))
        body.read()
        types.append(
            TypeDeclaration(
                kind: kind, name: name, modifiers: modifiers, inherited: inherited(tokens[head..<index]),
                lines: first...max(first, tokens[max(close - 1, 0)].line), members: body.members, nested: body.types))
        modifiers = []
        index = close
    }

    private func inherited(_ head: ArraySlice<Token>) -> [String] {
        guard let colon = head.firstIndex(where: { $0.text == ":" }) else { return [] }
        return head[colon...].prefix { $0.text != "where" }.filter(\.isWord).map(\.text)
    }

    private mutating func readMember() {
        let (keyword, line) = (tokens[index].text, tokens[index].line)
        let isProperty = keyword == "var" || keyword == "let"
        let name = keyword == "init" ? keyword : tokens.text(at: index + 1) ?? ""
        index += 1
        let stored = isProperty && isStored(at: index)
        members.append(Member(keyword: keyword, name: name, modifiers: modifiers, isStored: stored, line: line))
        modifiers = []
        skipSignature(isProperty: isProperty)
    }

    /// Whether the property whose name is at `index` is stored.
    private func isStored(at start: Int) -> Bool {
        var index = start
        while index < end {
            let token = tokens[index]
            if token.text == "=" { return true }
            if token.text == "{" { return ["didSet", "willSet"].contains(tokens.text(at: index + 1)) }
            if index > start, token.line > tokens[index - 1].line, Self.words.contains(token.text) { return true }
            index = ["(", "["].contains(token.text) ? tokens.end(ofGroupAt: index) : index + 1
        }
        return true
    }

    /// Moves to the next declaration of this scope, past everything in braces.
    private mutating func skipSignature(isProperty: Bool) {
        let start = index
        while index < end {
            let token = tokens[index]
            if index > start, token.line > tokens[index - 1].line, Self.words.contains(token.text) { return }
            guard ["(", "[", "{"].contains(token.text) else {
                index += 1
                continue
            }
            index = tokens.end(ofGroupAt: index)
            if token.text == "{", !isProperty { return }
        }
    }
}
