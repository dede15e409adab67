import SeededRandom
import Testing

@testable import PouchDomain

@Suite("Dictionary of words")
struct WordDictionaryTests {
    /// Short words over few letters have many close neighbours.
    private static func words(seed: UInt64, count: Int) -> [[Unicode.Scalar]] {
        var random = SplitMix64(seed: seed)
        let letters: [Unicode.Scalar] = ["a", "b", "c", "é", "語"]
        let words = Set(
            (0..<count).map { _ in
                (0..<Int.random(in: 1...9, using: &random)).map { _ in
                    letters[Int.random(in: letters.indices, using: &random)]
                }
            })
        return words.sorted { $0.lexicographicallyPrecedes($1) }
    }

    @Test("Words within so many edits are those of the definition", arguments: [1, 2], UInt64(1)...4)
    func similar(limit: Int, seed: UInt64) {
        let words = Self.words(seed: seed, count: 300)
        let dictionary = WordDictionary(sorted: words)
        for wanted in Self.words(seed: seed + 100, count: 12) where wanted.count >= 4 {
            let found = dictionary.words(within: limit, of: wanted)
            let expected = words.enumerated().map { ($0.offset, EditDistance.between($0.element, wanted)) }
                .filter { $0.1 <= limit }
            #expect(found.map(\.word) == expected.map(\.0))
            #expect(found.map(\.edits) == expected.map(\.1))
        }
    }

    @Test("Words with a beginning lie side by side")
    func prefixes() {
        let words = Self.words(seed: 5, count: 300)
        let dictionary = WordDictionary(sorted: words)
        for prefix in words.map({ Array($0.prefix(2)) }) + [["z"], []] {
            let expected = words.indices.filter { words[$0].starts(with: prefix) }
            #expect(Array(dictionary.words(startingWith: prefix)) == expected)
        }
    }

    @Test("An empty dictionary has nothing")
    func empty() {
        let dictionary = WordDictionary(sorted: [])
        #expect(dictionary.words(startingWith: ["a"]).isEmpty)
        #expect(dictionary.words(within: 2, of: ["a"]).isEmpty)
    }
}
