import Foundation

/// The public API of a module as sorted lines, made to be read in a diff: a type with its conformances, then its
/// members.
///
///     struct Page : Sendable
///         init(items: [Item], nextCursor: String? = nil)
///         let items: [Item]
struct APIDigest {
    /// A type, an extension of another module's type, or the module itself.
    struct Owner: Hashable, Comparable {
        /// With the types around it, such as `Cart.Line`, and the module if it is another's; empty for the module.
        let name: String
        /// The first line of its block; empty for the module.
        let header: String

        static let module = Owner(name: "", header: "")

        static func < (one: Owner, other: Owner) -> Bool { (one.name, one.header) < (other.name, other.header) }
    }

    let module: String
    let members: [Owner: [String]]

    // MARK: From symbol graphs

    init(_ module: String, _ graphs: [SymbolGraph], exports: [String] = []) {
        var members = [Owner.module: exports]
        for graph in graphs {
            var conformances: [String: Set<String>] = [:]
            var requirements: Set<String> = []
            let symbols = graph.symbols.firsts(by: \.identifier.precise)
            for relationship in graph.relationships {
                switch relationship.kind {
                case "conformsTo", "inheritsFrom":
                    let target = symbols[relationship.target]?.name ?? relationship.targetFallback
                    conformances[relationship.source, default: []].insert(Self.short(target ?? relationship.target))
                case "requirementOf", "optionalRequirementOf": requirements.insert(relationship.source)
                default: break
                }
            }
            var owners: [[String]: Owner] = [:]
            // To move a declaration into an extension of the module's own type changes nothing for a program.
            func isForeign(_ symbol: SymbolGraph.Symbol) -> Bool {
                symbol.swiftExtension.map { $0.extendedModule != module } ?? false
            }
            for symbol in graph.symbols where symbol.isType && !isForeign(symbol) {
                let header = Self.header(symbol, conformances[symbol.identifier.precise] ?? [])
                let owner = Owner(name: symbol.name, header: header)
                owners[symbol.pathComponents] = owner
                members[owner, default: []] += []
            }
            for symbol in graph.symbols where !symbol.isType || isForeign(symbol) {
                let path = Array(symbol.pathComponents.dropLast())
                var owner = owners[path] ?? .module
                if let extended = symbol.swiftExtension?.extendedModule, extended != module {
                    let name = ([extended] + path).joined(separator: ".")
                    owner = Owner(name: name, header: "extension " + name)
                }
                let isRequirement = requirements.contains(symbol.identifier.precise)
                members[owner, default: []].append(
                    isRequirement ? "requires " + symbol.declaration : Self.withoutAccessors(symbol.declaration))
            }
        }
        self.module = module
        self.members = members.mapValues { Set($0).sorted() }
    }

    /// A property that can be set is the same to programs whether it is stored, observed or computed.
    private static func withoutAccessors(_ declaration: String) -> String {
        let accessors = " { get set }"
        return declaration.hasSuffix(accessors) ? String(declaration.dropLast(accessors.count)) : declaration
    }

    /// Conformances of nearly every type.
    private static let implied: Set = ["Copyable", "Escapable", "SendableMetatype"]

    private static func short(_ name: String) -> String {
        ["Swift.", "_Concurrency."].first(where: name.hasPrefix).map { String(name.dropFirst($0.count)) } ?? name
    }

    /// The declaration with the full name of the type and everything that it conforms to.
    private static func header(_ type: SymbolGraph.Symbol, _ conformances: Set<String>) -> String {
        let (start, requirements) = type.declaration.split(at: " where ")
        var declaration = start.split(at: " : ").0
        if let name = type.pathComponents.last, let range = declaration.firstRange(of: " " + name) {
            declaration.replaceSubrange(range, with: " " + type.name)
        }
        let listed = conformances.subtracting(implied).sorted().joined(separator: ", ")
        return declaration + (listed.isEmpty ? "" : " : " + listed) + (requirements.map { " where " + $0 } ?? "")
    }

    // MARK: Text

    private static let indent = "    "

    /// One line for each declaration.
    var text: String {
        var lines = ["// The public API of \(module). `make api` writes this file."]
        for (owner, declarations) in members.sorted(by: { $0.key < $1.key }) {
            let isGlobal = owner.header.isEmpty
            lines += isGlobal ? declarations : [owner.header] + declarations.map { Self.indent + $0 }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    init(_ module: String, text: String) {
        var (owner, members): (Owner, [Owner: [String]]) = (.module, [.module: []])
        for line in text.split(separator: "\n") where !line.hasPrefix("//") {
            if line.hasPrefix(Self.indent) {
                members[owner, default: []].append(String(line.dropFirst(Self.indent.count)))
            } else if let name = DeclarationName(line).typeName {
                owner = Owner(name: name, header: String(line))
                members[owner, default: []] += []
            } else {
                members[.module, default: []].append(String(line))
            }
        }
        self.module = module
        self.members = members
    }

    func write(to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appending(path: module + ".txt"))
    }

    static func all(in folder: URL) throws -> [APIDigest] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".txt") }
        return try files.sorted().map {
            let text = try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
            return APIDigest(String($0.dropLast(".txt".count)), text: text)
        }
    }
}

/// The name that a line of a digest declares.
struct DeclarationName {
    /// For a type or an extension.
    let typeName: String?
    /// Without labels, so that overloads share it.
    let name: String

    init(_ line: some StringProtocol) {
        let words = String(line).split(separator: " ").map(String.init)
        let kinds = ["actor", "class", "enum", "extension", "protocol", "struct"]
        let others = ["associatedtype", "case", "exports", "func", "let", "typealias", "var"]
        // `class func` is a member.
        let index = words.firstIndex { kinds.contains($0) || others.contains($0) || Self.isNamedByKeyword($0) } ?? 0
        let keyword = words.isEmpty ? "" : words[index]
        let rest = words.dropFirst(index + 1).first ?? ""
        let isType = kinds.contains(keyword) && !["func", "var"].contains(rest)
        let declared = keyword == "exports" ? words.dropFirst(index + 1).last ?? "" : rest
        // An operator is followed by its generic parameters or its operands.
        let isOperator = declared.first.map { !$0.isLetter && $0 != "_" && $0 != "`" } ?? true
        let ends = isOperator ? "(" : "(<:"
        name = String(
            Self.isNamedByKeyword(keyword) ? keyword.prefix { $0.isLetter } : declared.prefix { !ends.contains($0) })
        typeName = isType ? name : nil
    }

    private static func isNamedByKeyword(_ word: String) -> Bool {
        ["init(", "init?(", "init<", "init?<", "subscript(", "subscript<"].contains { word.hasPrefix($0) }
    }
}
