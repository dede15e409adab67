/// Lists of values within a statement. Their lengths are rounded up to powers of two, so that few different statements
/// have to be prepared.
enum SQLList {
    /// `(?, ?, …)` for `IN`; the last value is repeated.
    static func places(_ values: [SQLValue]) -> (sql: String, arguments: [SQLValue]) {
        let missing = length(for: values.count) - values.count
        let arguments = values + Array(repeating: values.last ?? .null, count: missing)
        return ("(" + Array(repeating: "?", count: arguments.count).joined(separator: ", ") + ")", arguments)
    }

    /// `WITH wanted (wanted_sku, wanted_value) AS (VALUES …)`; SKUs that are NULL fill it up.
    static func wanted(_ values: [(sku: String, value: Int64)]) -> (sql: String, arguments: [SQLValue]) {
        let length = length(for: values.count)
        let rows = Array(repeating: "(CAST(? AS TEXT), CAST(? AS BIGINT))", count: length)
        var arguments = values.flatMap { [SQLValue.text($0.sku), .integer($0.value)] }
        arguments += Array(repeating: .null, count: 2 * (length - values.count))
        return ("WITH wanted (wanted_sku, wanted_value) AS (VALUES \(rows.joined(separator: ", ")))", arguments)
    }

    private static func length(for count: Int) -> Int {
        var length = 1
        while length < count { length *= 2 }
        return length
    }
}
