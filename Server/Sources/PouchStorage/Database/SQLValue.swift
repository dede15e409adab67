import Foundation
import PouchEntities
import PouchJSON

/// An argument of a statement, or a value of a row. Times are milliseconds since 1970, flags are 0 or 1.
public enum SQLValue: Sendable, Equatable {
    case null
    case integer(Int64)
    case text(String)
    case blob(Data)

    public static func optional(_ text: String?) -> SQLValue { text.map(SQLValue.text) ?? .null }
    public static func optional(_ integer: Int64?) -> SQLValue { integer.map(SQLValue.integer) ?? .null }
    public static func optional(_ integer: Int?) -> SQLValue { integer.map(SQLValue.integer) ?? .null }
    public static func optional(_ data: Data?) -> SQLValue { data.map(SQLValue.blob) ?? .null }
    public static func integer(_ value: Int) -> SQLValue { .integer(Int64(value)) }
    public static func time(_ date: Date) -> SQLValue {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        return .integer(Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max))
    }
    public static func time(_ date: Date?) -> SQLValue { date.map { .time($0) } ?? .null }

    /// The value as JSON, or NULL for nil. Equal values have equal texts.
    static func json(_ value: (some JSONCodable)?) throws -> SQLValue {
        try value.map { .text(String(decoding: try $0.json(.stored), as: UTF8.self)) } ?? .null
    }
}

/// One row of a result, by position.
public struct SQLRow: Sendable {
    private let values: [SQLValue]

    public init(_ values: [SQLValue]) {
        self.values = values
    }

    public func text(_ index: Int) throws -> String {
        guard case .text(let text) = values[index] else { throw mismatch(index) }
        return text
    }

    public func integer(_ index: Int) throws -> Int64 {
        guard case .integer(let integer) = values[index] else { throw mismatch(index) }
        return integer
    }

    public func int(_ index: Int) throws -> Int {
        Int(try integer(index))
    }

    public func data(_ index: Int) throws -> Data {
        guard case .blob(let data) = values[index] else { throw mismatch(index) }
        return data
    }

    public func date(_ index: Int) throws -> Date {
        Date(timeIntervalSince1970: Double(try integer(index)) / 1000)
    }

    public func optional<Value>(_ index: Int, _ read: (SQLRow) -> (Int) throws -> Value) throws -> Value? {
        if case .null = values[index] { return nil }
        return try read(self)(index)
    }

    private func mismatch(_ index: Int) -> StorageError {
        .corrupt("column \(index) has an unexpected type")
    }
}

extension SQLRow {
    func json<Value: JSONCodable>(_ index: Int, _ type: Value.Type = Value.self) throws -> Value {
        try Value(json: try text(index), .stored)
    }

    /// nil for NULL.
    func optionalJSON<Value: JSONCodable>(_ index: Int) throws -> Value? {
        try optional(index) { row in { try row.json($0) } }
    }

    /// A value stored as its raw text.
    package func value<Value: RawRepresentable<String>>(_ index: Int) throws -> Value {
        let text = try text(index)
        guard let value = Value(rawValue: text) else { throw StorageError.corrupt(String(reflecting: Value.self)) }
        return value
    }

    package func currency(_ index: Int) throws -> Currency {
        guard let currency = Currency(code: try text(index)) else { throw StorageError.corrupt("a currency") }
        return currency
    }
}

extension [SQLRow] {
    /// The values of the rows by the text in the first column.
    func byText<Value>(_ value: (SQLRow) throws -> Value) throws -> [String: Value] {
        try reduce(into: [:]) { values, row in values[try row.text(0)] = try value(row) }
    }
}
