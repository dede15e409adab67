import Foundation
import Testing

@testable import distribution

struct APIChangesTests {
    private static func changes(_ old: String, _ new: String) -> APIChanges {
        APIChanges(from: [APIDigest("Shop", text: old)], to: [APIDigest("Shop", text: new)])
    }

    private static func inType(_ declaration: String, _ header: String = "struct Cart : Sendable") -> String {
        "\(header)\n    \(declaration)\n"
    }

    @Test func `an API that is the same has not changed`() {
        let text = Self.inType("let lines: [Line]")
        #expect(Self.changes(text, text).isEmpty)
    }

    @Test(
        arguments: [
            ("let lines: [Line]", "let lines: [Line]\n    func clear() async"),
            ("func add(_ sku: String)", "func add(_ sku: String, quantity: Int = 1)"),
            (
                "func add(_ sku: String)",
                "func add(_ sku: String, then done: @escaping (Int, Int) -> Void = { _, _ in })"
            ),
            ("init(sku: String, tags: [String : String])", "init(sku: String, tags: [String : String] = [:])"),
            ("func wait(_ time: Int = 1)", "func wait(_ time: Int = 2)"),
            ("func add() -> Int", "@discardableResult func add() -> Int"),
            ("func add()", "@available(*, deprecated) func add()"),
        ])
    func `programs survive an addition and a default value`(_ old: String, _ new: String) {
        let changes = Self.changes(Self.inType(old), Self.inType(new))
        #expect(changes.changes.count == 1 && !changes.isBreaking)
        #expect(changes.text.hasSuffix("the next version must be minor."))
    }

    @Test(
        arguments: [
            ("func add(_ sku: String)\n    let id: String", "let id: String"),
            ("func add(_ sku: String)", "func add(_ sku: String, quantity: Int)"),
            ("func add(_ sku: String, quantity: Int = 1)", "func add(_ sku: String, quantity: Int)"),
            ("func add(_ sku: String)", "func add(sku: String)"),
            ("func add() async", "func add() async throws(CartError)"),
            ("func add() throws(CartError)", "func add() throws"),
            ("func add() -> Int", "func add() -> Int64"),
            ("func map<A>(_ body: (A) -> A)", "func map<A, B>(_ body: (A) -> B)"),
            ("var id: String", "var id: String { get }"),
            ("func add()", "@MainActor func add()"),
        ])
    func `a declaration that is missing or differs breaks programs`(_ old: String, _ new: String) {
        let changes = Self.changes(Self.inType(old), Self.inType(new))
        #expect(changes.changes.count == 1 && changes.isBreaking)
        #expect(changes.text.contains("the next version must be major"))
    }

    @Test func `overloads are compared one by one`() {
        let old = "func add(_ sku: String)\n    func add(_ line: Line)"
        let changes = Self.changes(Self.inType(old), Self.inType("func add(_ sku: String)"))
        #expect(changes.changes.map(\.kind) == [.removed])
        #expect(changes.changes.map(\.before) == ["func add(_ line: Line)"])
    }

    private static let store = "protocol Store : Sendable"

    @Test func `a new requirement breaks the types that conform, unless it has a default`() {
        let old = Self.inType("requires func load() async", Self.store)
        let new = Self.inType("requires func clear() async\n    requires func load() async", Self.store)
        #expect(Self.changes(old, new).isBreaking)
        #expect(!Self.changes(old, new + "    func clear() async\n").isBreaking)
    }

    @Test func `a new parameter with a default value breaks a requirement`() {
        let (old, new) = ("requires func load()", "requires func load(_ all: Bool = true)")
        #expect(Self.changes(Self.inType(old, Self.store), Self.inType(new, Self.store)).isBreaking)
    }

    @Test func `a new case breaks a switch`() {
        let header = "enum Status : Sendable"
        #expect(
            Self.changes(Self.inType("case paid", header), Self.inType("case open\n    case paid", header)).isBreaking)
        #expect(
            !Self.changes(Self.inType("case paid"), Self.inType("case paid") + header + "\n    case open\n").isBreaking)
    }

    @Test(
        arguments: [
            ("struct Cart : Sendable", "struct Cart : Equatable, Sendable", false),
            ("struct Cart", "struct Cart : Sendable", false),
            ("struct Cart : Equatable, Sendable", "struct Cart : Sendable", true),
            ("struct Cart : Sendable", "final class Cart : Sendable", true),
            ("protocol Store", "protocol Store : Sendable", true),
        ])
    func `a type may gain conformances, and a protocol may not`(_ old: String, _ new: String, _ isBreaking: Bool) {
        let changes = Self.changes(Self.inType("let id: String", old), Self.inType("let id: String", new))
        #expect(changes.changes.map(\.kind) == [.changed] && changes.isBreaking == isBreaking)
    }

    @Test func `a missing type and a missing module are named once`() {
        let old = Self.inType("let lines: [Line]") + "exports struct Other.Money\n"
        #expect(Self.changes(old, "exports struct Other.Money\n").changes.map(\.before) == ["struct Cart : Sendable"])
        #expect(APIChanges(from: [APIDigest("Shop", text: old)], to: []).changes.map(\.before) == ["the module Shop"])
    }

    @Test func `a digest is read as it was written`() throws {
        let root = URL(filePath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "../../../Client/API").standardizedFileURL
        for digest in try APIDigest.all(in: root) {
            let file = root.appending(path: digest.module + ".txt")
            #expect(digest.text == (try String(contentsOf: file, encoding: .utf8)))
        }
    }
}

/// Digests of symbol graphs.
struct SymbolGraphTests {
    private static let graph = Data(
        #"""
        {"symbols": [
          {"kind": {"identifier": "swift.struct"}, "identifier": {"precise": "cart"}, "pathComponents": ["Cart"],
           "declarationFragments": [{"spelling": "struct"}, {"spelling": " "}, {"spelling": "Cart"}],
           "accessLevel": "public"},
          {"kind": {"identifier": "swift.struct"}, "identifier": {"precise": "line"}, "pathComponents": ["Cart", "Line"],
           "declarationFragments": [{"spelling": "struct"}, {"spelling": " "}, {"spelling": "Line"}],
           "swiftExtension": {"extendedModule": "Shop"}, "accessLevel": "public"},
          {"kind": {"identifier": "swift.method"}, "identifier": {"precise": "pay"}, "pathComponents": ["Cart", "pay(_:)"],
           "declarationFragments": [{"spelling": "func"}, {"spelling": " "}, {"spelling": "pay"},
             {"spelling": "(_ amount: Int\n    = 1) async throws(Refusal)"}],
           "swiftExtension": {"extendedModule": "Shop"}, "accessLevel": "public"},
          {"kind": {"identifier": "swift.property"}, "identifier": {"precise": "note"}, "pathComponents": ["Cart", "note"],
           "declarationFragments": [{"spelling": "var note: String { get set }"}], "accessLevel": "public"},
          {"kind": {"identifier": "swift.protocol"}, "identifier": {"precise": "till"}, "pathComponents": ["Till"],
           "declarationFragments": [{"spelling": "protocol"}, {"spelling": " "}, {"spelling": "Till"}],
           "accessLevel": "public"},
          {"kind": {"identifier": "swift.method"}, "identifier": {"precise": "open"}, "pathComponents": ["Till", "open()"],
           "declarationFragments": [{"spelling": "func open()"}], "accessLevel": "public"},
          {"kind": {"identifier": "swift.property"}, "identifier": {"precise": "days"}, "pathComponents": ["Int", "days"],
           "declarationFragments": [{"spelling": "var days: Int { get }"}],
           "swiftExtension": {"extendedModule": "Swift"}, "accessLevel": "public"}],
         "relationships": [
          {"kind": "conformsTo", "source": "cart", "target": "s:s8SendableP", "targetFallback": "Swift.Sendable"},
          {"kind": "conformsTo", "source": "cart", "target": "till"},
          {"kind": "conformsTo", "source": "cart", "target": "x", "targetFallback": "Swift.Copyable"},
          {"kind": "requirementOf", "source": "open", "target": "till"}]}
        """#.utf8)

    @Test func `a digest has types with conformances, members, requirements and extensions`() throws {
        let graph = try JSONDecoder().decode(SymbolGraph.self, from: Self.graph)
        #expect(
            APIDigest("Shop", [graph], exports: ["exports struct Other.Money"]).text == """
                // The public API of Shop. `make api` writes this file.
                exports struct Other.Money
                struct Cart : Sendable, Till
                    func pay(_ amount: Int = 1) async throws(Refusal)
                    var note: String
                struct Cart.Line
                extension Swift.Int
                    var days: Int { get }
                protocol Till
                    requires func open()

                """)
    }
}
