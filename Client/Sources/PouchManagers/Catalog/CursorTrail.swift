import PouchData

/// The cursors of a list that is read to its end. A server that gives one of them again would keep us there for ever.
struct CursorTrail {
    private var followed: Set<String> = []

    /// - Returns: the cursor, which leads on; nil at the list's end.
    mutating func follow(_ cursor: String?) throws(DataError) -> String? {
        guard let cursor else { return nil }
        guard followed.insert(cursor).inserted else {
            throw DataError(.unreadableAnswer, log: "a cursor came twice")
        }
        return cursor
    }
}
