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

        static func < (one: Owner, other: Owner) -> Bool { (one.name, one.header) < (other.name, other.header) }
    }

    let module: String
    let members: [Owner: [String]]

    // MARK: From symbol graphs

    init(_ module: String, _ graphs: [SymbolGraph], exports: [String] = []) {
        var members = [Owner(name: "", header: ""): exports]
        for graph in graphs {
            var conformances: [String: Set<String>] = [:]
            var requirements: Set<String> = []
            let names = Dictionary(
                graph.symbols.map { ($0.identifier.precise, $0.pathComponents.joined(separator: ".")) },
                uniquingKeysWith: { first, _ in first })
            for relationship in graph.relationships {
                switch relationship.kind {
                case "conformsTo", "inheritsFrom":
                    let name = names[relationship.target] ?? relationship.targetFallback ?? relationship.target
                    conformances[relationship.source, default: []].insert(Self.short(name))
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
                let owner = Owner(
                    name: symbol.pathComponents.joined(separator: "."),
                    header: Self.header(symbol, conformances[symbol.identifier.precise] ?? []))
                owners[symbol.pathComponents] = owner
                members[owner, default: []] += []
            }
            for symbol in graph.symbols where !symbol.isType || isForeign(symbol) {
                let path = Array(symbol.pathComponents.dropLast())
                let owner: Owner
                if let extended = symbol.swiftExtension?.extendedModule, extended != module {
                    let name = ([extended] + path).joined(separator: ".")
                    owner = Owner(name: name, header: "extension " + name)
                } else {
                    owner = owners[path] ?? Owner(name: "", header: "")
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
        let name = type.pathComponents[type.pathComponents.count - 1]
        var declaration = type.declaration
        let (start, requirements) = declaration.split(at: " where ")
        declaration = start.split(at: " : ").0
        if let range = declaration.firstRange(of: " " + name) {
            declaration.replaceSubrange(range, with: " " + type.pathComponents.joined(separator: "."))
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
            if owner.header.isEmpty {
                lines += declarations
            } else {
                lines += [owner.header] + declarations.map { Self.indent + $0 }
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    init(_ module: String, text: String) {
        let global = Owner(name: "", header: "")
        var members: [Owner: [String]] = [global: []]
        var owner = global
        for line in text.split(separator: "\n") where !line.hasPrefix("//") {
            if line.hasPrefix(Self.indent) {
                members[owner, default: []].append(String(line.dropFirst(Self.indent.count)))
            } else if let name = DeclarationName(line).typeName {
                owner = Owner(name: name, header: String(line))
                members[owner, default: []] += []
            } else {
                members[global, default: []].append(String(line))
            }
        }
        self.module = module
        self.members = members
    }

    // MARK: Files

    func write(to folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: folder.appending(path: module + ".txt"))
    }

    static func all(in folder: URL) throws -> [APIDigest] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".txt") }.sorted()
            .map { file in
                APIDigest(
                    String(file.dropLast(".txt".count)),
                    text: try String(contentsOf: folder.appending(path: file), encoding: .utf8))
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
        if Self.isNamedByKeyword(keyword) {
            typeName = nil
            name = String(keyword.prefix { $0.isLetter })
        } else if kinds.contains(keyword), !["func", "var"].contains(rest) {
            name = String(rest.prefix { $0 != "<" && $0 != ":" })
            typeName = name
        } else {
            typeName = nil
            let declared = keyword == "exports" ? words.dropFirst(index + 1).last ?? "" : rest
            // An operator is followed by its generic parameters or its operands.
            name =
                declared.first.map { $0.isLetter || $0 == "_" || $0 == "`" } ?? false
                ? String(declared.prefix { !"(<:".contains($0) }) : String(declared.prefix { $0 != "(" })
        }
    }

    private static func isNamedByKeyword(_ word: String) -> Bool {
        ["init(", "init?(", "init<", "init?<", "subscript(", "subscript<"].contains { word.hasPrefix($0) }
    }
}

extension String {
    /// The text before the first separator, and the text after it, if there is one.
    fileprivate func split(at separator: String) -> (String, String?) {
        guard let range = firstRange(of: separator) else { return (self, nil) }
        return (String(self[..<range.lowerBound]), String(self[range.upperBound...]))
    }
}
