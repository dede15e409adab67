import Foundation

/// The declarations of a module, as `swift symbolgraph-extract` writes them.
///
/// The dump of swift-api-digester would be the other source. It says neither which function is async nor which error
/// it throws, and both are part of what a caller compiles against.
struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Kind: Decodable { let identifier: String }
        struct Identifier: Decodable { let precise: String }
        struct Fragment: Decodable { let spelling: String }

        struct Extension: Decodable {
            let extendedModule: String
            let constraints: [Constraint]?
        }

        struct Constraint: Decodable {
            let kind: String
            let lhs: String
            let rhs: String

            var text: String { lhs + (kind == "sameType" ? " == " : " : ") + rhs }
        }

        struct Availability: Decodable {
            let isUnconditionallyDeprecated: Bool?
            let isUnconditionallyUnavailable: Bool?
        }

        let kind: Kind
        let identifier: Identifier
        let pathComponents: [String]
        let declarationFragments: [Fragment]
        let accessLevel: String
        let swiftExtension: Extension?
        let availability: [Availability]?

        /// With the types around it, such as `Cart.Line`.
        var name: String { pathComponents.joined(separator: ".") }

        /// Whether other declarations are its members.
        var isType: Bool { ["swift.class", "swift.enum", "swift.protocol", "swift.struct"].contains(kind.identifier) }

        /// The declaration on one line.
        var declaration: String {
            let availability = availability ?? []
            var words = [
                availability.contains { $0.isUnconditionallyUnavailable == true } ? "@available(*, unavailable)" : nil,
                availability.contains { $0.isUnconditionallyDeprecated == true } ? "@available(*, deprecated)" : nil,
                accessLevel == "open" ? "open" : nil,
            ].compactMap(\.self)
            let text = declarationFragments.map(\.spelling).joined()
            words += text.split(whereSeparator: \.isWhitespace).map(String.init)
            // Those of an extension; a protocol's own is no condition.
            let constraints = (swiftExtension?.constraints ?? []).filter { $0.lhs != "Self" || $0.kind == "sameType" }
            if !constraints.isEmpty {
                if words.contains("where") { words[words.count - 1] += "," } else { words.append("where") }
                words.append(constraints.map(\.text).sorted().joined(separator: ", "))
            }
            return words.joined(separator: " ")
        }
    }

    struct Relationship: Decodable {
        let kind: String
        let source: String
        let target: String
        let targetFallback: String?
    }

    let symbols: [Symbol]
    let relationships: [Relationship]

    /// The module's own declarations, and its extensions of other modules' types; empty for a module without symbols.
    static func all(of module: String, in folder: URL) throws -> [SymbolGraph] {
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { $0 == "\(module).symbols.json" || $0.hasPrefix("\(module)@") }
        return try files.map {
            try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: folder.appending(path: $0)))
        }
    }
}

/// The modules and declarations of others that a module exports under its name. Symbol graphs do not have them.
enum Exports {
    static func lines(inSourcesAt folder: URL) -> [String] {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let exports = files?.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
            .compactMap { try? String(contentsOf: $0, encoding: .utf8) }
            .flatMap { $0.split(separator: "\n") }
            .filter { $0.hasPrefix("@_exported import ") }
        return Set(exports ?? []).map { "exports " + $0.dropFirst("@_exported import ".count) }
    }
}
