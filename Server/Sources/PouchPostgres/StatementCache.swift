/// The statements that are prepared on one connection, as many as the bound; the one that was not used for the longest
/// time makes room.
struct StatementCache {
    struct Statement {
        let name: String
        let isQuery: Bool
        fileprivate var lastUse: Int
    }

    private let bound: Int
    private var statements: [String: Statement] = [:]
    private var uses = 0
    private var made = 0

    init(bound: Int) {
        self.bound = bound
    }

    mutating func statement(_ sql: String) -> Statement? {
        uses += 1
        statements[sql]?.lastUse = uses
        return statements[sql]
    }

    /// A name that was never given before.
    mutating func newName() -> String {
        made += 1
        return "s\(made)"
    }

    /// - Returns: the name of the statement that had to make room.
    mutating func makeRoom() -> String? {
        guard statements.count >= bound, let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse })
        else { return nil }
        statements[oldest.key] = nil
        return oldest.value.name
    }

    mutating func insert(_ sql: String, name: String) -> Statement {
        let statement = Statement(
            name: name, isQuery: sql.prefix(6).uppercased() == "SELECT", lastUse: uses)
        statements[sql] = statement
        return statement
    }

    var count: Int { statements.count }
}
