import CLibpq
import Foundation
import PouchStorage

/// The result of one statement, with values in binary format. Frees libpq's result when it is deallocated.
final class PostgresResult {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        PQclear(handle)
    }

    /// The number of rows that the statement changed or found.
    var affected: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }

    /// - Throws: `StorageError.corrupt` for a value of a type that this server's statements never return.
    func rows() throws -> [SQLRow] {
        let columns = PQnfields(handle)
        let types = (0..<columns).map { PQftype(handle, $0) }
        return try (0..<PQntuples(handle)).map { row in
            SQLRow(
                try (0..<columns).map { column in
                    guard PQgetisnull(handle, row, column) == 0, let bytes = PQgetvalue(handle, row, column) else {
                        return .null
                    }
                    return try Self.value(
                        UnsafeRawBufferPointer(start: bytes, count: Int(PQgetlength(handle, row, column))),
                        type: types[Int(column)])
                })
        }
    }

    /// The type numbers are fixed in PostgreSQL's pg_type.dat.
    private static func value(_ bytes: UnsafeRawBufferPointer, type: Oid) throws -> SQLValue {
        switch type {
        case 16: .integer(Int64(bytes[0]))
        case 17: .blob(Data(bytes))
        case 20: .integer(bytes.bigEndian(Int64.self))
        case 21: .integer(Int64(bytes.bigEndian(Int16.self)))
        case 23: .integer(Int64(bytes.bigEndian(Int32.self)))
        case 19, 25, 1042, 1043: .text(String(decoding: bytes, as: UTF8.self))
        // The sum of BIGINTs.
        case 1700: .integer(try wholeNumber(bytes))
        case 2278: .null
        default: throw StorageError.corrupt("a column has the unknown type \(type)")
        }
    }

    /// Reads a `numeric`: the number of digits, the weight of the first digit, a sign, a scale, then the digits in base
    /// 10,000.
    private static func wholeNumber(_ bytes: UnsafeRawBufferPointer) throws -> Int64 {
        let words = stride(from: 0, to: bytes.count, by: 2).map { bytes.bigEndian(Int16.self, at: $0) }
        let (weight, sign, digits) = (Int(words[1]), UInt16(bitPattern: words[2]), words.dropFirst(4))
        var number: Int64 = 0
        var overflows = sign != 0 && sign != 0x4000
        if !digits.isEmpty {
            guard weight >= digits.count - 1 else { throw StorageError.corrupt("a sum is not a whole number") }
            for index in 0...weight {
                let digit = index < digits.count ? Int64(digits[digits.startIndex + index]) : 0
                let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10_000)
                let (sum, isLarger) = product.subtractingReportingOverflow(digit)
                overflows = overflows || isTooLarge || isLarger
                number = sum
            }
        }
        // Added up as negative, since there is one more negative number than positive ones.
        guard !overflows, sign == 0x4000 || number != .min else { throw StorageError.corrupt("a sum is too large") }
        return sign == 0x4000 ? number : -number
    }
}

extension UnsafeRawBufferPointer {
    fileprivate func bigEndian<Integer: FixedWidthInteger>(_ type: Integer.Type, at offset: Int = 0) -> Integer {
        Integer(bigEndian: loadUnaligned(fromByteOffset: offset, as: type))
    }
}
