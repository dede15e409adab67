import PouchDomain
import PouchEntities
import Testing

@Suite("Search in the catalogue")
struct CatalogSearchTests {
    private let snapshot = CatalogSnapshot(
        CatalogContent(
            version: 1,
            currency: .eur,
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

    @Test(
        "Every text of a product can be searched, without case and accents",
        arguments: [
            ("RIBBED", "1"), ("knitwear", "1"), ("bestseller", "1"), ("lambswool", "1"), ("anthracite", "1"),
            ("crepe", "1"), ("Crêpe", "1"), ("spring", "1"), ("harbour", "1"), ("strasse", "2"), ("lodz", "4"),
            ("SMØRREBRØD", "4"), ("smorrebrod", "4"), ("women's", "2"), ("womens", "2"), ("71616", "1"),
        ])
    func fields(text: String, id: String) throws {
        #expect(try snapshot.ids(ProductQuery(search: text)) == [id])
    }

    @Test(
        "One typo in 4 to 7 letters and two from 8 on are forgiven, swaps counting once",
        arguments: [
            ("jakcet", ["2"]), ("jaket", ["2"]), ("packet", ["2"]), ("jackkets", ["2"]), ("jakcett", []), ("jkat", []),
            ("cardigna", ["3", "1", "2"]), ("xardigxn", ["1", "2"]), ("harbor", ["1"]), ("apro", ["4"]),
            ("aprom", ["4"]), ("apx", []), ("twp", []),
        ])
    func typos(text: String, ids: [String]) throws {
        #expect(Set(try snapshot.ids(ProductQuery(search: text))) == Set(ids))
    }

    @Test("A number must be typed as it is")
    func numbers() throws {
        #expect(try snapshot.ids(ProductQuery(search: "71618")) == [])
        #expect(try snapshot.ids(ProductQuery(search: "7161")) == ["1", "3"])
    }

    @Test("The whole word beats its beginning, the name the description, and all of them a typo")
    func order() throws {
        #expect(try snapshot.ids(ProductQuery(search: "cardigan")) == ["1", "3", "2"])
        let typo = CatalogSnapshot(products: [
            .sample("1", name: "Wood"), .sample("2", description: "of wool"), .sample("3", description: "woolly"),
        ])
        #expect(try typo.ids(ProductQuery(search: "wool")) == ["2", "3", "1"])
    }

    @Test("The less of a word is missing, the better")
    func completions() throws {
        #expect(try snapshot.ids(ProductQuery(search: "car")) == ["5", "1", "3", "2"])
    }

    @Test("Fewer typos are better")
    func fewerTypos() throws {
        let snapshot = CatalogSnapshot(products: [.sample("1", name: "cardxgxn"), .sample("2", name: "cardixan")])
        #expect(try snapshot.ids(ProductQuery(search: "cardigan")) == ["2", "1"])
    }

    @Test("Every word must match, in whatever field")
    func allWords() throws {
        #expect(try snapshot.ids(ProductQuery(search: "cardigan two")) == ["3"])
        #expect(try snapshot.ids(ProductQuery(search: "anthracite card spring")) == ["1"])
        #expect(try snapshot.ids(ProductQuery(search: "cardigan submarine")) == [])
    }

    @Test("A text without a word finds nothing", arguments: ["", "&", "' - ’"])
    func noWords(text: String) throws {
        #expect(try snapshot.ids(ProductQuery(search: text)) == [])
    }

    @Test("A long text is bounded: words beyond the sixteenth are not looked at", .timeLimit(.minutes(1)))
    func longText() throws {
        let many = (0..<20_000).map { "cardigan" + String(repeating: "n", count: $0 % 3) }.joined(separator: " ")
        #expect(try snapshot.ids(ProductQuery(search: many)).contains("1"))
        let known = "ribbed cardigan goes with every crepe dress knitwear bestseller lambswool anthracite spring"
        #expect(try snapshot.ids(ProductQuery(search: known + " harbour 71616 card rib nonsense")) == ["1"])
        #expect(try snapshot.ids(ProductQuery(search: known + " harbour 71616 card nonsense")) == [])
        #expect(try snapshot.ids(ProductQuery(search: String(repeating: "cardigan", count: 5_000))) == [])
    }
}
