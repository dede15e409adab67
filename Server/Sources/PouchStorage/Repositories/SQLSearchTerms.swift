import Foundation
import PouchDomain
import PouchEntities

/// Stores the words by which orders and accounts are found.
struct SQLSearchTerms {
    let connection: any SQLConnection

    /// Usually in one statement, since every checkout runs it. The last term is repeated up to a power of two, so that
    /// only a few different statements have to be prepared.
    func insert(_ terms: [SearchTerm], of id: String) throws {
        var rest = terms[...]
        while let last = rest.prefix(64).last {
            let part = rest.prefix(64)
            rest = rest.dropFirst(64)
            let padded = part + Array(repeating: last, count: SQLList.length(for: part.count) - part.count)
            let places = Array(repeating: "(?, ?)", count: padded.count).joined(separator: ", ")
            try connection.send(
                "INSERT INTO search_terms (term, object_id) VALUES \(places) ON CONFLICT DO NOTHING",
                padded.flatMap { [.text($0.text), .text(id)] })
        }
    }

    func delete(_ terms: [SearchTerm], of id: String) throws {
        for term in terms {
            try connection.run(
                "DELETE FROM search_terms WHERE term = ? AND object_id = ?", [.text(term.text), .text(id)])
        }
    }

    // MARK: Searching

    /// The clauses that select the rows of a table that have all terms, starting from the first term's rows, so that
    /// the latest are found without reading the others.
    ///
    /// - Parameters:
    ///   - table: the table's name and its short name, such as `orders o`.
    ///   - conditions: further conditions, each with its argument if it has one.
    /// - Returns: the clauses after the columns, including `ORDER BY` and `LIMIT`.
    static func page(
        of table: String, _ name: String, _ terms: [SearchTerm], _ conditions: [(sql: String, value: SQLValue?)],
        after id: String?, limit: Int
    ) -> (sql: String, arguments: [SQLValue]) {
        var conditions = conditions
        let key: String
        if let first = terms.first {
            key = "t.object_id"
            conditions.append(("t.term = ?", .text(first.text)))
            conditions += terms.dropFirst().map { term in
                (
                    "EXISTS (SELECT 1 FROM search_terms other WHERE other.term = ? AND other.object_id = \(name).id)",
                    .text(term.text)
                )
            }
        } else {
            key = "\(name).id"
        }
        if let id { conditions.append(("\(key) < ?", .text(id))) }
        let join = terms.isEmpty ? [] : ["\(name).id = t.object_id"]
        let filter = (join + conditions.map(\.sql)).joined(separator: " AND ")
        let source = terms.isEmpty ? "\(table) \(name)" : "search_terms t CROSS JOIN \(table) \(name)"
        return (
            "FROM \(source)\(filter.isEmpty ? "" : " WHERE " + filter) ORDER BY \(key) DESC LIMIT ?",
            conditions.compactMap(\.value) + [.integer(limit)]
        )
    }
}

extension SearchTerm {
    static func terms(ofAccount name: String, email address: String) -> [SearchTerm] {
        Array(Set(self.name(name) + [email(address)]))
    }
}
