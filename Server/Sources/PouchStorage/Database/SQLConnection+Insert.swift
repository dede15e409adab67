extension SQLConnection {
    /// The rows of one statement, largest first, so that few different statements have to be prepared.
    private static var batches: [Int] { [64, 8, 1] }

    /// Inserts rows, many with each statement.
    ///
    /// - Parameters:
    ///   - table: its name and, in parentheses, the columns.
    ///   - clause: what stands behind the values, as `ON CONFLICT DO NOTHING`.
    /// - Returns: how many rows were changed.
    @discardableResult
    func insert(into table: String, _ rows: [[SQLValue]], _ clause: String = "") throws -> Int {
        guard let width = rows.first?.count else { return 0 }
        let places = "(" + Array(repeating: "?", count: width).joined(separator: ", ") + ")"
        var (rest, changed) = (rows[...], 0)
        for batch in Self.batches {
            while rest.count >= batch {
                let values = Array(repeating: places, count: batch).joined(separator: ", ")
                changed += try run(
                    "INSERT INTO \(table) VALUES \(values) \(clause)", Array(rest.prefix(batch).joined()))
                rest = rest.dropFirst(batch)
            }
        }
        return changed
    }

    /// Asks for the rows of many values of one column.
    ///
    /// - Parameter sql: makes the statement of the places that stand for the values, as `?, ?`.
    func rows(of values: [String], leading: [SQLValue] = [], _ sql: (String) -> String) throws -> [SQLRow] {
        var (rest, found) = (values[...], [SQLRow]())
        while let first = rest.first {
            let part = rest.prefix(256)
            rest = rest.dropFirst(256)
            let count = [1, 16, 256].first { $0 >= part.count } ?? part.count
            let padded = part + Array(repeating: first, count: count - part.count)
            let places = Array(repeating: "?", count: count).joined(separator: ", ")
            found += try rows(sql(places), leading + padded.map(SQLValue.text))
        }
        return found
    }
}
