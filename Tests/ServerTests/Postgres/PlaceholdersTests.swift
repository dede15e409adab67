import Testing

@testable import PouchPostgres

@Suite("Placeholders for PostgreSQL")
struct PlaceholdersTests {
    @Test(arguments: [
        ("SELECT 1", "SELECT 1"),
        ("a = ? AND b = ?", "a = $1 AND b = $2"),
        ("'?' = ? AND \"?\" = ?", "'?' = $1 AND \"?\" = $2"),
        ("'it''s ?' = ?", "'it''s ?' = $1"),
        ("? -- why?\n, ?", "$1 -- why?\n, $2"),
        ("? /* ? '*/ ?", "$1 /* ? '*/ $2"),
        ("'é?' = ?", "'é?' = $1"),
    ])
    func `Each that stands for an argument gets its number`(sql: String, numbered: String) {
        #expect(Placeholders.numbered(sql) == numbered)
    }
}
