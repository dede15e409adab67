import Foundation

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
        .corrupt("column \(index) has another type than expected")
    }
}
