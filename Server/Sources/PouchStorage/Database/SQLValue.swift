import Foundation

/// A value that a statement takes or a row has. Times are milliseconds since 1970, flags are 0 or 1.
public enum SQLValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case text(String)
    case blob(Data)

    public static func optional(_ text: String?) -> SQLValue { text.map(SQLValue.text) ?? .null }
    public static func optional(_ integer: Int64?) -> SQLValue { integer.map(SQLValue.integer) ?? .null }
    public static func optional(_ data: Data?) -> SQLValue { data.map(SQLValue.blob) ?? .null }
    public static func integer(_ value: Int) -> SQLValue { .integer(Int64(value)) }
    public static func time(_ date: Date) -> SQLValue {
        .integer(Int64((date.timeIntervalSince1970 * 1000).rounded()))
    }
    public static func time(_ date: Date?) -> SQLValue { date.map { .time($0) } ?? .null }
}
