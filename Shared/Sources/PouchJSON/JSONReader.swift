import Foundation

/// Reads values from the bytes of a JSON text, in one pass and without an intermediate tree.
///
/// It accepts only RFC 8259 in UTF-8. Its pointers are valid while `read(_:from:_:)` runs; no value keeps the reader.
public struct JSONReader {
    /// The maximum number of unknown fields that an error names.
    private static let maxUnknown = 20

    @usableFromInline let start: UnsafePointer<UInt8>
    @usableFromInline let end: UnsafePointer<UInt8>
    /// The next byte.
    @usableFromInline var place: UnsafePointer<UInt8>
    @usableFromInline let rules: JSONRules
    @usableFromInline var depth = 0
    /// The level of an object of which only a part is being read, so that its other fields are not unknown.
    private var partialDepth = 0
    /// The unknown fields found so far, with their paths from the value being read.
    @usableFromInline private(set) var unknown: [JSONError.Field] = []

    @usableFromInline
    init(_ bytes: UnsafeRawBufferPointer, _ rules: JSONRules) throws(JSONError) {
        guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { throw .malformed }
        self.start = start
        self.end = start + bytes.count
        place = start
        self.rules = rules
    }

    /// Reads the value of the whole text.
    @inlinable
    static func read<Value: JSONCodable>(
        _ type: Value.Type, from bytes: UnsafeRawBufferPointer, _ rules: JSONRules
    ) throws(JSONError) -> Value {
        var reader = try JSONReader(bytes, rules)
        do throws(JSONError) {
            let value = try Value(reading: &reader)
            try reader.finish()
            return value
        } catch {
            throw graver(error, in: bytes, rules)
        }
    }

    /// Finds the graver fault: in a text that is not JSON further on, a wrong field is the lesser one.
    @usableFromInline
    static func graver(_ fault: JSONError, in bytes: UnsafeRawBufferPointer, _ rules: JSONRules) -> JSONError {
        guard case .fields = fault else { return fault }
        do throws(JSONError) {
            var whole = try JSONReader(bytes, rules)
            try whole.skip()
            try whole.expectEnd()
            return fault
        } catch {
            return error
        }
    }

    @usableFromInline
    mutating func finish() throws(JSONError) {
        try expectEnd()
        guard unknown.isEmpty else { throw .fields(unknown.sorted { $0.path < $1.path }) }
    }

    private mutating func expectEnd() throws(JSONError) {
        guard next() == 0, place == end else { throw .malformed }
    }

    // MARK: Bytes

    /// The next byte that is not white space; 0 at the end, and for a control character, which is not valid JSON here.
    @inlinable @inline(__always)
    mutating func next() -> UInt8 {
        while place < end {
            let byte = place.pointee
            if byte > 0x20 { return byte }
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return 0 }
            place += 1
        }
        return 0
    }

    @inlinable @inline(__always)
    mutating func take(_ byte: UInt8) -> Bool {
        guard next() == byte else { return false }
        place += 1
        return true
    }

    @inlinable @inline(__always)
    mutating func expect(_ byte: UInt8) throws(JSONError) {
        guard take(byte) else { throw .malformed }
    }

    @usableFromInline
    mutating func expect(word: StaticString) throws(JSONError) {
        let count = word.utf8CodeUnitCount
        guard end - place >= count, memcmp(place, word.utf8Start, count) == 0 else { throw .malformed }
        place += count
    }

    /// The error for a value of another type, or for invalid JSON.
    @usableFromInline @inline(never)
    mutating func mismatch(_ expected: String) -> JSONError {
        let isNull = next() == UInt8(ascii: "n")
        do throws(JSONError) {
            try skip()
        } catch {
            return error
        }
        return .here(isNull ? .null : .wrongType(expected: expected))
    }

    // MARK: Objects and lists

    /// Calls the closure for each member of an object, after its key.
    @inlinable @inline(__always)
    public mutating func object(_ member: (inout JSONReader, JSONKey) throws(JSONError) -> Void) throws(JSONError) {
        guard take(UInt8(ascii: "{")) else { throw mismatch("an object") }
        try enter()
        if !take(UInt8(ascii: "}")) {
            repeat {
                let key = try key()
                try expect(UInt8(ascii: ":"))
                try member(&self, key)
            } while take(UInt8(ascii: ","))
            try expect(UInt8(ascii: "}"))
        }
        depth -= 1
    }

    /// Calls the closure for each element of a list; the errors of an element name its position.
    @inlinable @inline(__always)
    public mutating func list(_ element: (inout JSONReader) throws(JSONError) -> Void) throws(JSONError) {
        guard take(UInt8(ascii: "[")) else { throw mismatch("a list") }
        try enter()
        if !take(UInt8(ascii: "]")) {
            var position = 0
            repeat {
                try at({ String(position) }, element)
                position += 1
            } while take(UInt8(ascii: ","))
            try expect(UInt8(ascii: "]"))
        }
        depth -= 1
    }

    /// Reads a member or element, and adds its key to the paths of its errors.
    @inlinable @inline(__always)
    mutating func at(_ key: () -> String, _ value: (inout JSONReader) throws(JSONError) -> Void) throws(JSONError) {
        let known = unknown.count
        do throws(JSONError) {
            try value(&self)
        } catch {
            throw error.within(key())
        }
        if unknown.count > known { prepend(key(), after: known) }
    }

    @usableFromInline
    mutating func prepend(_ key: String, after known: Int) {
        for index in known..<unknown.count { unknown[index].prepend(key) }
    }

    @inlinable @inline(__always)
    mutating func enter() throws(JSONError) {
        depth += 1
        guard depth <= rules.depth else { throw .tooDeep }
    }

    /// Skips the value of a field that the type does not have.
    @usableFromInline
    mutating func skipUnknown(_ key: JSONKey) throws(JSONError) {
        if rules.isStrict, depth != partialDepth, unknown.count < Self.maxUnknown {
            unknown.append(JSONError.Field(path: try key.name(rules), fault: .unknown))
        }
        try skip()
    }

    /// Reads some of the fields of the object that follows, without moving on.
    @usableFromInline
    mutating func ahead(_ part: (inout JSONReader) throws(JSONError) -> Void) throws(JSONError) {
        let (place, partialDepth) = (place, partialDepth)
        self.partialDepth = depth + 1
        try part(&self)
        (self.place, self.partialDepth) = (place, partialDepth)
    }

    /// Checks and skips any value.
    public mutating func skip() throws(JSONError) {
        switch next() {
        case UInt8(ascii: "{"): try object { json, _ throws(JSONError) in try json.skip() }
        case UInt8(ascii: "["): try list { (json) throws(JSONError) in try json.skip() }
        case UInt8(ascii: "\""): _ = try rawText()
        case UInt8(ascii: "t"): try expect(word: "true")
        case UInt8(ascii: "f"): try expect(word: "false")
        case UInt8(ascii: "n"): try expect(word: "null")
        default: guard try numberText() != nil else { throw .malformed }
        }
    }

    /// Reads a value, or skips it if it does not match. So a list continues after a bad row.
    public mutating func attempt<Value: JSONCodable>(_ type: Value.Type) throws(JSONError) -> Result<Value, JSONError> {
        let before = self
        do throws(JSONError) {
            return .success(try Value(reading: &self))
        } catch {
            guard case .fields = error else { throw error }
            self = before
            try skip()
            return .failure(error)
        }
    }
}
