import Foundation
import PouchStorage

/// The prepared statements of one connection. When the limit is reached, the least recently used one is removed.
struct StatementCache {
    struct Statement {
        let name: String
        let isQuery: Bool
        fileprivate var lastUse: Int
    }

    private let bound: Int
    private var statements: [String: Statement] = [:]
    private var uses = 0
    private var made = 0

    init(bound: Int) {
        self.bound = bound
    }

    mutating func statement(_ sql: String) -> Statement? {
        uses += 1
        statements[sql]?.lastUse = uses
        return statements[sql]
    }

    /// Returns a name that was not used before.
    mutating func newName() -> String {
        made += 1
        return "s\(made)"
    }

    /// Removes the least recently used statement if the limit is reached.
    ///
    /// - Returns: the name of the removed statement, which still exists on the server; nil if none was removed.
    mutating func makeRoom() -> String? {
        guard statements.count >= bound, let oldest = statements.min(by: { $0.value.lastUse < $1.value.lastUse })
        else { return nil }
        statements[oldest.key] = nil
        return oldest.value.name
    }

    mutating func insert(_ sql: String, name: String) -> Statement {
        let statement = Statement(
            name: name, isQuery: sql.prefix(6).uppercased() == "SELECT", lastUse: uses)
        statements[sql] = statement
        return statement
    }

    var count: Int { statements.count }
}

/// The arguments of a statement in libpq's format: bytes in binary, others as text whose type the server infers.
struct StatementArguments {
    private var bytes: [UInt8] = []
    private var offsets: [Int?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    /// - Parameter areCompared: whether the statement only compares them. PostgreSQL stores no text with a NUL, so NULL
    ///   replaces such a text, and NULL equals nothing either.
    /// - Throws: `StorageError.notStorable` for a text with a NUL to be stored.
    init(_ values: [SQLValue], areCompared: Bool) throws {
        for value in values {
            switch value {
            case .null: appendNull()
            case .integer(let integer): append(Array(String(integer).utf8) + [0])
            case .text(let text) where text.utf8.contains(0):
                guard areCompared else { throw StorageError.notStorable }
                appendNull()
            case .text(let text): append(Array(text.utf8) + [0])
            case .blob(let data): append(data, isBinary: true)
            }
        }
    }

    private mutating func append(_ value: some Collection<UInt8>, isBinary: Bool = false) {
        offsets.append(bytes.count)
        lengths.append(Int32(value.count))
        formats.append(isBinary ? 1 : 0)
        bytes.append(contentsOf: value)
    }

    private mutating func appendNull() {
        offsets.append(nil)
        lengths.append(0)
        formats.append(0)
    }

    func withPointers<Value>(_ body: ([UnsafePointer<CChar>?], [Int32], [Int32]) -> Value) -> Value {
        // One extra byte, so that an empty value at the end has an address.
        (bytes + [0]).withUnsafeBytes { buffer in
            let start = buffer.assumingMemoryBound(to: CChar.self).baseAddress
            return body(offsets.map { offset in offset.flatMap { start?.advanced(by: $0) } }, lengths, formats)
        }
    }
}

/// Converts the `?` of the shared SQL to PostgreSQL's numbered placeholders.
enum Placeholders {
    /// Numbers each `?` that is an argument, but not those within texts, quoted names and comments.
    static func numbered(_ sql: String) -> String {
        let text = Array(sql.utf8)
        guard text.contains(UInt8(ascii: "?")) else { return sql }
        var numbered: [UInt8] = []
        numbered.reserveCapacity(text.count + 16)
        var (index, copied, count) = (0, 0, 0)
        while index < text.count {
            guard text[index] == UInt8(ascii: "?") else {
                index = end(ofSpanAt: index, in: text)
                continue
            }
            count += 1
            numbered += text[copied..<index]
            numbered += "$\(count)".utf8
            index += 1
            copied = index
        }
        return String(decoding: numbered + text[copied...], as: UTF8.self)
    }

    /// The index after the text, quoted name, comment or plain character at an index. A doubled quote within a text
    /// ends it and starts the next.
    private static func end(ofSpanAt start: Int, in text: [UInt8]) -> Int {
        let (opening, closing): (Int, [UInt8])
        switch (text[start], start + 1 < text.count ? text[start + 1] : 0) {
        case (UInt8(ascii: "'"), _), (UInt8(ascii: "\""), _): (opening, closing) = (1, [text[start]])
        case (UInt8(ascii: "-"), UInt8(ascii: "-")): (opening, closing) = (2, Array("\n".utf8))
        case (UInt8(ascii: "/"), UInt8(ascii: "*")): (opening, closing) = (2, Array("*/".utf8))
        default: return start + 1
        }
        var index = start + opening
        while index < text.count, !text[index...].starts(with: closing) { index += 1 }
        return min(index + closing.count, text.count)
    }
}
