import PouchOpenAPI
import ServerTesting
import Testing

@testable import PouchWeb

@Suite("The texts of the pages")
struct ProblemTextTests {
    /// The exchanges of customers and guests, except those of rides, which have no pages.
    private static let exchanges = Contract.all.filter { exchange in
        !exchange.endpoint.access.isForStaff && !exchange.endpoint.template.description.hasPrefix("/v1/ride")
    }
    private static let codes = Set(exchanges.flatMap(\.problemCodes))
    private static let reasons = ["required", "invalid", "out-of-range", "wrong-type", "unknown-field"]

    /// `mobileNumber` and `too_many_attempts` as parts of a key.
    private static func words(_ name: String) -> String {
        name.replacing("_", with: "-").replacing(#/[A-Z]/#) { "-" + $0.output.lowercased() }
    }

    /// The keys that pages make of a prefix and each of a set of values. All of them are needed.
    private static func composedKeys(_ parts: PageParts) throws -> Set<String> {
        let sandbox = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Server/Sources/PouchSandbox/SandboxProvider.swift")
        let refusals = try String(contentsOf: sandbox, encoding: .utf8)
            .matches(of: #/\.declined\(code: "([a-z_]+)"\)/#).map { words(String($0.output.1)) }
        try #require(!refusals.isEmpty)
        let statuses = OrderStatus.allCases.map { $0 == .partiallyRefunded ? "partly-refunded" : $0.rawValue }
        var keys = Set(parts.notices.map { "notice-" + $0 })
        keys.formUnion(refusals.map { "decline-" + $0 })
        for card in SandboxCards.tokens.map(words) { keys.formUnion(["card-" + card, "card-\(card)-text"]) }
        for prefix in ["order-status-", "order-text-", "step-"] { keys.formUnion(statuses.map { prefix + $0 }) }
        for arrival in ["map-eta", "map-eta-shop"] { keys.formUnion(["", "-now", "-one"].map { arrival + $0 }) }
        return keys.union(["wait-seconds", "wait-minutes"])
    }

    /// The keys under which `ProblemText` looks for a text before it takes a more general one.
    private static func problemKeys() throws -> Set<String> {
        let names = try requestFields().map(words)
        var keys = Set(names.map { "entry-" + $0 })
        for code in (codes.map(\.rawValue) + ["wrong_password"]).map(words) {
            keys.formUnion(["problem-" + code, "problem-\(code)-title"])
        }
        for reason in reasons { keys.formUnion(["field-" + reason] + names.map { "field-\($0)-\(reason)" }) }
        return keys
    }

    /// The names of the fields of requests, at any depth.
    private static func requestFields() throws -> Set<String> {
        let document = try OpenAPI.document()
        var (names, seen): (Set<String>, Set<String>) = ([], [])
        func collect(_ json: JSON) {
            if let name = json["$ref"]?.string?.split(separator: "/").last.map(String.init),
                let schema = document["components"]?["schemas"]?[name], seen.insert(name).inserted
            {
                collect(schema)
            }
            names.formUnion((json["properties"]?.object ?? [:]).keys)
            for part in json.object?.values.map(\.self) ?? json.array ?? [] { collect(part) }
        }
        for endpoint in exchanges.map(\.endpoint) {
            let operation = document["paths"]?[endpoint.template.description]?[endpoint.method.rawValue.lowercased()]
            if let body = operation?["requestBody"] { collect(body) }
        }
        return names
    }

    private static func unusedKeys(_ parts: PageParts) throws -> Set<String> {
        try Set(parts.texts().keys).subtracting(parts.templateKeys).subtracting(parts.swiftStrings)
            .subtracting(composedKeys(parts)).subtracting(problemKeys())
    }

    @Test(arguments: ["en", "de"])
    func `Every problem that a visitor of the shop can meet has a text`(language: String) throws {
        let texts = try PageParts().texts(in: language)
        // Browsers send no API keys, and read no ranges and no events by a query.
        for code in Self.codes.subtracting([.apiKeyInvalid, .rangeNotSatisfiable, .unknownEvent]) {
            let key = "problem-" + Self.words(code.rawValue)
            let text = texts[key] ?? ""
            #expect(text.contains(" ") && [".", "!"].contains(text.last), "\(key)")
        }
        for reason in Self.reasons { #expect(texts["field-\(reason)"] != nil, "\(reason)") }
    }

    @Test func `Every text that a page asks for exists`() throws {
        let parts = try PageParts()
        let wanted = try parts.templateKeys.union(parts.swiftKeys).union(Self.composedKeys(parts))
        #expect(try wanted.subtracting(parts.texts().keys) == [])
    }

    @Test func `Every text is one that a page asks for`() throws {
        var parts = try PageParts()
        #expect(try Self.unusedKeys(parts) == [])
        let planted = ["left-over", "notice-left-over", "decline-left-over", "problem-ride-in-progress", "entry-left"]
        let lines = planted.map { "\"\($0)\": \"Never shown.\",\n" }.joined()
        parts.files["en.json"]?.replace("{\n", with: "{\n" + lines, maxReplacements: 1)
        #expect(try Self.unusedKeys(parts) == Set(planted))
    }

    @Test func `Both languages have the same texts with the same placeholders`() throws {
        let (english, german) = (try PageParts().texts(), try PageParts().texts(in: "de"))
        #expect(Set(english.keys) == Set(german.keys))
        for (key, text) in english {
            let gaps = german[key].map { $0.split(separator: "%@", omittingEmptySubsequences: false).count }
            #expect(gaps == text.split(separator: "%@", omittingEmptySubsequences: false).count, "\(key)")
            #expect(!text.isEmpty && german[key]?.isEmpty == false, "\(key)")
        }
    }

    @Test(arguments: ["en", "de"])
    func `Every text calls an e-mail an e-mail`(language: String) throws {
        for (key, text) in try PageParts().texts(in: language) {
            let words = text.lowercased().split { !$0.isLetter && $0 != "-" }
            #expect(!words.contains("mail") && !words.contains("mails"), "\(key)")
        }
    }

    @Test(arguments: ["en", "de"])
    func `The text about a quantity out of range names the range`(language: String) throws {
        let text = try PageParts().texts(in: language)["field-quantity-out-of-range"] ?? ""
        let numbers = text.matches(of: #/\d+/#).compactMap { Int($0.output) }
        #expect(numbers == [ModelLimits.quantity.lowerBound, ModelLimits.quantity.upperBound])
    }
}
