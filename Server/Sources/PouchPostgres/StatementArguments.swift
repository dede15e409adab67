import Foundation
import PouchStorage

/// The arguments of a statement as libpq takes them: bytes as they are, the rest as text, from which the server finds
/// the type that it expects.
struct StatementArguments {
    private var bytes: [UInt8] = []
    private var offsets: [Int?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    /// - Parameter areCompared: whether the statement only compares them. PostgreSQL has no text with a NUL, so such a
    ///   text equals nothing that is stored, and NULL, which equals nothing, stands in for it.
    /// - Throws: `StorageError.notStorable` for a text with a NUL that would be stored.
    init(_ values: [SQLValue], areCompared: Bool) throws {
        for value in values {
            switch value {
            case .null: append(nil)
            case .integer(let integer): append(Array(String(integer).utf8) + [0])
            case .text(let text) where text.utf8.contains(0):
                guard areCompared else { throw StorageError.notStorable }
                append(nil)
            case .text(let text): append(Array(text.utf8) + [0])
            case .blob(let data): append(data, isBinary: true)
            }
        }
    }

    private mutating func append(_ value: (some Collection<UInt8>)?, isBinary: Bool = false) {
        offsets.append(value.map { _ in bytes.count })
        lengths.append(Int32(value?.count ?? 0))
        formats.append(isBinary ? 1 : 0)
        if let value { bytes.append(contentsOf: value) }
    }

    private mutating func append(_ value: [UInt8]?) {
        append(value, isBinary: false)
    }

    func withPointers<Value>(
        _ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> Value
    ) -> Value {
        // One byte more, so that an empty value at the end has a place, too.
        (bytes + [0]).withUnsafeBytes { buffer in
            let start = buffer.assumingMemoryBound(to: CChar.self).baseAddress
            return body(offsets.map { offset in offset.flatMap { start?.advanced(by: $0) } }, lengths, formats)
        }
    }
}
