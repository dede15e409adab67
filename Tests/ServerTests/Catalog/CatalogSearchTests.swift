import PouchEntities
import SeededRandom
import Testing

@testable import PouchDomain

@Suite("Catalogue search")
struct CatalogSearchTests {
    private let snapshot = CatalogSnapshot(
        CatalogContent(
            version: 1, currency: .eur,
            seasons: [Season(id: "71", name: "Spring")],
            themes: [Theme(id: "711", name: "Harbour", seasonId: "71")],
            categoryNames: ["knits": "Knitwear"],
            products: [
                .sample(
                    "1", name: "Ribbed Cardigan", styleCode: "71616", description: "Goes with every crêpe dress.",
                    season: "71", theme: "711", category: "knits", tags: ["Bestseller"], materials: ["Lambswool"],
                    variants: [.sample("1", ["Colour": "Anthracite"])]),
                .sample("2", name: "Women’s Straße Jacket", description: "A cardigan in spirit."),
                .sample("3", name: "Cardigans for two", styleCode: "71617"),
                .sample("4", name: "Łódź Smørrebrød apron"),
                .sample("5", name: "Card holder"),
            ]))

    @Test(arguments: [
        ("RIBBED", "1"), ("knitwear", "1"), ("bestseller", "1"), ("lambswool", "1"), ("anthracite", "1"),
        ("crepe", "1"), ("Crêpe", "1"), ("spring", "1"), ("harbour", "1"), ("strasse", "2"), ("lodz", "4"),
        ("SMØRREBRØD", "4"), ("smorrebrod", "4"), ("women's", "2"), ("womens", "2"), ("71616", "1"),
    ])
    func `Search looks at every text of a product, ignoring case and accents`(text: String, id: String) throws {
        #expect(try snapshot.ids(ProductQuery(search: text)) == [id])
    }

    @Test(
        arguments: [
            ("ht-71616-s", ["1"]), ("HT-71616", ["2", "1"]), ("ht71616m", ["2"]), ("tshirt", ["1"]), ("t-shirt", ["1"]),
            ("t shirt", ["1"]), ("傘", ["2"]), ("日本語", ["2"]), ("語の傘", ["2"]), ("傘 日本", ["2"]), ("傘立", []),
            ("折りたたみ傘が欲しいと思っている人のための長い検索", []), ("pouch傘", ["2"]), ("ร่ม", ["1"]),
        ] as [(String, [String])])
    func `Search finds SKUs, words that a hyphen joins, and words of scripts without spaces`(
        text: String, ids: [String]
    ) throws {
        let snapshot = CatalogSnapshot(products: [
            .sample(
                "1", name: "T-Shirt", description: "เสื้อลายร่มสีแดง",
                variants: [.sample("HT-71616-S", ["Size": "S"])]),
            .sample("2", name: "Pouch日本語の傘", variants: [.sample("HT-71616-M", ["Size": "M"])]),
        ])
        #expect(Set(try snapshot.ids(ProductQuery(search: text))) == Set(ids))
    }

    @Test(arguments: [
        ("jakcet", ["2"]), ("jaket", ["2"]), ("packet", ["2"]), ("jackkets", ["2"]), ("jakcett", []), ("jkat", []),
        ("cardigna", ["3", "1", "2"]), ("xardigxn", ["1", "2"]), ("harbor", ["1"]), ("apro", ["4"]),
        ("aprom", ["4"]), ("apx", []), ("twp", []),
    ])
    func `Search allows one typo in words of 4 to 7 letters and two in longer words; a swap is one typo`(
        text: String, ids: [String]
    ) throws {
        #expect(Set(try snapshot.ids(ProductQuery(search: text))) == Set(ids))
    }

    @Test func `A number is found only without typos`() throws {
        #expect(try snapshot.ids(ProductQuery(search: "71618")) == [])
        #expect(try snapshot.ids(ProductQuery(search: "7161")) == ["1", "3"])
    }

    @Test func `A whole word ranks above a prefix, the name above the description, and both above a typo`() throws {
        #expect(try snapshot.ids(ProductQuery(search: "cardigan")) == ["1", "3", "2"])
        let typo = CatalogSnapshot(products: [
            .sample("1", name: "Wood"), .sample("2", description: "of wool"), .sample("3", description: "woolly"),
        ])
        #expect(try typo.ids(ProductQuery(search: "wool")) == ["2", "3", "1"])
    }

    @Test func `A prefix that covers more of the word ranks higher, and so do fewer typos`() throws {
        #expect(try snapshot.ids(ProductQuery(search: "car")) == ["5", "1", "3", "2"])
        let snapshot = CatalogSnapshot(products: [.sample("1", name: "cardxgxn"), .sample("2", name: "cardixan")])
        #expect(try snapshot.ids(ProductQuery(search: "cardigan")) == ["2", "1"])
    }

    @Test func `Every word has to match, in any field`() throws {
        #expect(try snapshot.ids(ProductQuery(search: "cardigan two")) == ["3"])
        #expect(try snapshot.ids(ProductQuery(search: "anthracite card spring")) == ["1"])
        #expect(try snapshot.ids(ProductQuery(search: "cardigan submarine")) == [])
    }

    @Test(arguments: ["", "&", "' - ’"])
    func `A text without a word finds nothing`(text: String) throws {
        #expect(try snapshot.ids(ProductQuery(search: text)) == [])
    }

    @Test(.timeLimit(.minutes(5)))
    func `Search ignores words after the sixth`() throws {
        let many = (0..<20_000).map { "cardigan" + String(repeating: "n", count: $0 % 3) }.joined(separator: " ")
        #expect(try snapshot.ids(ProductQuery(search: many)).contains("1"))
        let known = "ribbed cardigan goes with every"
        #expect(try snapshot.ids(ProductQuery(search: known + " crepe nonsense")) == ["1"])
        #expect(try snapshot.ids(ProductQuery(search: known + " nonsense")) == [])
        #expect(try snapshot.ids(ProductQuery(search: String(repeating: "cardigan", count: 5_000))) == [])
    }
}

@Suite("The word dictionary")
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

    @Test(arguments: [1, 2], UInt64(1)...4)
    func `Words within an edit distance match the definition of the distance`(limit: Int, seed: UInt64) {
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

    @Test func `Words with a prefix are one range`() {
        let words = Self.words(seed: 5, count: 300)
        let dictionary = WordDictionary(sorted: words)
        for prefix in words.map({ Array($0.prefix(2)) }) + [["z"], []] {
            let expected = words.indices.filter { words[$0].starts(with: prefix) }
            #expect(Array(dictionary.words(startingWith: prefix)) == expected)
        }
    }

    @Test func `An empty dictionary finds nothing`() {
        let dictionary = WordDictionary(sorted: [])
        #expect(dictionary.words(startingWith: ["a"]).isEmpty)
        #expect(dictionary.words(within: 2, of: ["a"]).isEmpty)
    }
}

/// The optimal string alignment distance, by its definition.
enum EditDistance {
    static func between<Letter: Equatable>(_ one: [Letter], _ other: [Letter]) -> Int {
        var table = [[Int]](repeating: [Int](repeating: 0, count: other.count + 1), count: one.count + 1)
        for row in 0...one.count {
            for column in 0...other.count {
                guard row > 0, column > 0 else {
                    table[row][column] = row + column
                    continue
                }
                let replaced = table[row - 1][column - 1] + (one[row - 1] == other[column - 1] ? 0 : 1)
                var best = min(replaced, table[row - 1][column] + 1, table[row][column - 1] + 1)
                if row > 1, column > 1, one[row - 1] == other[column - 2], one[row - 2] == other[column - 1] {
                    best = min(best, table[row - 2][column - 2] + 1)
                }
                table[row][column] = best
            }
        }
        return table[one.count][other.count]
    }
}
