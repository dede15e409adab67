extension SQLConnection {
    /// The numbers of rows in one statement, so that only a few different statements have to be prepared.
    private static var batches: [Int] { [64, 8, 1] }

    /// Inserts rows, many in each statement.
    ///
    /// - Parameters:
    ///   - table: the table's name and, in parentheses, the columns.
    ///   - clause: the end of the statement, such as `ON CONFLICT DO NOTHING`.
    /// - Returns: the number of changed rows.
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

    /// Selects the rows for many values of one column.
    ///
    /// - Parameter sql: creates the statement from the placeholders of the values, such as `?, ?`.
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

    /// Selects the rows of a table whose versions are later than the given ones of their IDs.
    func rows(of table: String, _ columns: String, changedSince versions: [String: Int]) throws -> [SQLRow] {
        let known = try rows(of: versions.keys.sorted()) { "SELECT id, version FROM \(table) WHERE id IN (\($0))" }
        let changed = try known.filter { try $0.int(1) > versions[$0.text(0)] ?? 0 }.map { try $0.text(0) }
        return try rows(of: changed) { "SELECT \(columns) FROM \(table) WHERE id IN (\($0))" }
    }
}

/// Lists of values within a statement. Their lengths are rounded up to powers of two, so that only a few different
/// statements have to be prepared.
enum SQLList {
    /// `(?, ?, …)` for `IN`; repeats the last value.
    static func places(_ values: [SQLValue]) -> (sql: String, arguments: [SQLValue]) {
        let missing = length(for: values.count) - values.count
        let arguments = values + Array(repeating: values.last ?? .null, count: missing)
        return ("(" + Array(repeating: "?", count: arguments.count).joined(separator: ", ") + ")", arguments)
    }

    /// `WITH wanted (wanted_sku, wanted_value) AS (VALUES …)`, padded with NULLs.
    static func wanted(_ values: [(sku: String, value: Int64)]) -> (sql: String, arguments: [SQLValue]) {
        table(
            "wanted (wanted_sku, wanted_value)", types: ["TEXT", "BIGINT"],
            values.map { [.text($0.sku), .integer($0.value)] })
    }

    /// `WITH name (columns) AS (VALUES …)`, padded with NULLs.
    static func table(_ name: String, types: [String], _ rows: [[SQLValue]]) -> (sql: String, arguments: [SQLValue]) {
        let length = length(for: rows.count)
        let row = "(" + types.map { "CAST(? AS \($0))" }.joined(separator: ", ") + ")"
        let places = Array(repeating: row, count: length).joined(separator: ", ")
        let padding = Array(repeating: SQLValue.null, count: types.count * (length - rows.count))
        return ("WITH \(name) AS (VALUES \(places))", rows.flatMap(\.self) + padding)
    }

    static func length(for count: Int) -> Int {
        var length = 1
        while length < count { length *= 2 }
        return length
    }
}

/// The end of a query for one page of a list, latest first.
struct SQLPage {
    let sql: String
    let arguments: [SQLValue]

    /// - Parameters:
    ///   - filters: columns with their required values; those without a value are omitted.
    ///   - id: the id of the last row of the previous page.
    init(where filters: [(column: String, value: String?)] = [], after id: String?, limit: Int) {
        let wanted = filters.compactMap { filter in filter.value.map { ("\(filter.column) = ?", $0) } }
        let conditions = wanted + (id.map { [("id < ?", $0)] } ?? [])
        let filter = conditions.isEmpty ? "" : "WHERE " + conditions.map(\.0).joined(separator: " AND ") + " "
        sql = filter + "ORDER BY id DESC LIMIT ?"
        arguments = conditions.map { .text($0.1) } + [.integer(limit)]
    }
}
