import PouchDomain
import PouchImport
import Testing

@Suite("A slug")
struct SlugTests {
    @Test(
        "It is made of letters, digits and single hyphens, and never changes",
        arguments: [
            ("Ribbed Cardigan", "ribbed-cardigan"), ("  --Å la  Crème! ", "a-la-creme"),
            ("Women's Coat", "womens-coat"),
            ("Straße & Øre", "strasse-ore"), ("S/M", "s-m"), ("e\u{301}te\u{301}", "ete"), ("été", "ete"),
            ("東京 12", "67714eac-12"), ("\u{130}stanbul", "istanbul"), ("!?", ""), ("", ""),
        ])
    func slug(text: String, expected: String) {
        #expect(text.slug == expected)
        #expect(expected.slug == expected)
    }
}
