import Foundation
import PouchContract
import PouchWire
import Testing

@Suite("The texts of the pages")
struct ProblemTextTests {
    private static func texts(_ language: String) throws -> [String: String] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Server/Sources/PouchWeb/Texts/\(language).json")
        return try JSONDecoder().decode([String: String].self, from: Data(contentsOf: file))
    }

    @Test(arguments: ["en", "de"])
    func `Every problem that a visitor of the shop can meet has a text`(language: String) throws {
        let texts = try Self.texts(language)
        let exchanges = Contract.all.filter { !$0.endpoint.access.isForStaff }
        // Browsers send no API keys, and read no ranges and no events by a query; rides have no pages.
        let others: Set<ProblemCode> = [.apiKeyInvalid, .rangeNotSatisfiable, .unknownEvent, .rideNotCompleted]
        for code in Set(exchanges.flatMap(\.problemCodes)).subtracting(others) {
            let key = "problem-" + code.rawValue.replacing("_", with: "-")
            let text = texts[key] ?? ""
            #expect(text.contains(" ") && [".", "!"].contains(text.last), "\(key)")
        }
        for reason in ["required", "invalid", "out-of-range", "wrong-type", "unknown-field"] {
            #expect(texts["field-\(reason)"] != nil, "\(reason)")
        }
    }

    @Test func `Both languages have the same texts with the same gaps`() throws {
        let (english, german) = (try Self.texts("en"), try Self.texts("de"))
        #expect(Set(english.keys) == Set(german.keys))
        for (key, text) in english {
            let gaps = german[key].map { $0.split(separator: "%@", omittingEmptySubsequences: false).count }
            #expect(gaps == text.split(separator: "%@", omittingEmptySubsequences: false).count, "\(key)")
            #expect(!text.isEmpty && german[key]?.isEmpty == false, "\(key)")
        }
    }
}
