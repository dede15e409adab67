import Foundation

extension JSONReader {
    // MARK: Words and numbers

    /// Consumes null if it follows.
    @inlinable @inline(__always)
    public mutating func null() throws(JSONError) -> Bool {
        guard next() == UInt8(ascii: "n") else { return false }
        try expect(word: "null")
        return true
    }

    public mutating func bool() throws(JSONError) -> Bool {
        switch next() {
        case UInt8(ascii: "t"):
            try expect(word: "true")
            return true
        case UInt8(ascii: "f"):
            try expect(word: "false")
            return false
        default: throw mismatch("true or false")
        }
    }

    /// Reads a whole number, even if it is written with a zero fraction or an exponent.
    @usableFromInline
    mutating func integer() throws(JSONError) -> Int64 {
        let isNegative = next() == UInt8(ascii: "-")
        let first = place + (isNegative ? 1 : 0)
        var scan = first
        var value: Int64 = 0
        // 18 digits never overflow.
        while scan < end, scan - first < 19, case let digit = scan.pointee &- UInt8(ascii: "0"), digit < 10 {
            value = value &* 10 &+ Int64(digit)
            scan += 1
        }
        let count = scan - first
        let following = scan < end ? scan.pointee : 0
        let isWhole = following != UInt8(ascii: ".") && following | 0x20 != UInt8(ascii: "e")
        guard isWhole, count > 0, count < 19, count == 1 || first.pointee != UInt8(ascii: "0") else {
            return try unusualInteger()
        }
        place = scan
        return isNegative ? -value : value
    }

    @inline(never)
    private mutating func unusualInteger() throws(JSONError) -> Int64 {
        guard let text = try numberText() else { throw mismatch("a whole number") }
        guard let value = Int64(text) ?? Self.wholeNumber(text) else {
            throw .here(.wrongType(expected: "a whole number"))
        }
        return value
    }

    /// The exact value of a number with a fraction or an exponent; nil if it is not whole or does not fit.
    private static func wholeNumber(_ text: String) -> Int64? {
        let parts = text.lowercased().split(separator: "e")
        let halves = parts[0].split(separator: ".")
        let exponent = parts.count > 1 ? Int(parts[1]) : 0
        var fraction = halves.count > 1 ? halves[1] : ""
        while fraction.last == "0" { fraction.removeLast() }
        let digits = halves[0] + fraction
        if digits.allSatisfy({ "-0".contains($0) }) { return 0 }
        guard let zeros = exponent.map({ $0.subtractingReportingOverflow(fraction.count).partialValue }), zeros <= 18
        else { return nil }
        guard zeros < 0 else { return Int64(digits + String(repeating: "0", count: zeros)) }
        guard zeros > -digits.count, digits.suffix(-zeros).allSatisfy({ $0 == "0" }) else { return nil }
        return Int64(digits.dropLast(-zeros))
    }

    /// Reads a whole number that fits the type.
    @inlinable
    public mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws(JSONError) -> Value {
        guard let value = Value(exactly: try integer()) else { throw .here(.wrongType(expected: "a whole number")) }
        return value
    }

    public mutating func number() throws(JSONError) -> Double {
        guard let text = try numberText() else { throw mismatch("a number") }
        guard let value = Double(text), value.isFinite else { throw .here(.wrongType(expected: "a number")) }
        return value
    }

    /// Reads the text of a number (RFC 8259, section 6); nil if something else follows.
    public mutating func numberText() throws(JSONError) -> String? {
        let first = next()
        guard first == UInt8(ascii: "-") || isDigit(first) else { return nil }
        let begin = place
        if first == UInt8(ascii: "-") { place += 1 }
        if peek() == UInt8(ascii: "0") { place += 1 } else { try digits() }
        if peek() == UInt8(ascii: ".") {
            place += 1
            try digits()
        }
        if peek() | 0x20 == UInt8(ascii: "e") {
            place += 1
            if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { place += 1 }
            try digits()
        }
        return String(decoding: UnsafeBufferPointer(start: begin, count: place - begin), as: UTF8.self)
    }

    private func peek() -> UInt8 { place < end ? place.pointee : 0 }
    private func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    private mutating func digits() throws(JSONError) {
        guard isDigit(peek()) else { throw .malformed }
        while isDigit(peek()) { place += 1 }
    }

    // MARK: Texts

    /// A string that usually needs no copy.
    @usableFromInline
    enum RawText {
        /// The bytes between the quotes: ASCII without escapes.
        case plain(UnsafeBufferPointer<UInt8>)
        /// A text with other characters or escapes.
        case text(String)
    }

    public mutating func text() throws(JSONError) -> String {
        guard next() == UInt8(ascii: "\"") else { throw mismatch("a string") }
        switch try rawText() {
        case .plain(let bytes): return String(decoding: bytes, as: UTF8.self)
        case .text(let text):
            guard !rules.isStrict || !CombiningMarks(in: text).areTooMany else { throw .here(.tooManyMarks) }
            return text
        }
    }

    public mutating func time() throws(JSONError) -> Date {
        if rules.times == .seconds, next() != UInt8(ascii: "\"") {
            return Date(timeIntervalSinceReferenceDate: try number())
        }
        guard next() == UInt8(ascii: "\"") else { throw mismatch("a string") }
        let found: Date? =
            switch try rawText() {
            case .plain(let bytes): WireTime.date(bytes)
            case .text(let text): WireTime.date(text)
            }
        guard let date = found else { throw .here(.wrongType(expected: "a time such as 2026-12-01T09:30:00Z")) }
        return date
    }

    @inlinable @inline(__always)
    mutating func key() throws(JSONError) -> JSONKey {
        guard next() == UInt8(ascii: "\"") else { throw .malformed }
        switch try rawText() {
        case .plain(let bytes): return JSONKey(bytes: bytes, text: nil)
        case .text(let text): return JSONKey(bytes: UnsafeBufferPointer(start: nil, count: 0), text: text)
        }
    }

    /// Reads the string that begins here, checked to be UTF-8.
    @usableFromInline
    mutating func rawText() throws(JSONError) -> RawText {
        let first = place + 1
        var scan = first
        var seen: UInt64 = 0
        while true {
            if end - scan >= 8 {
                let word = UnsafeRawPointer(scan).loadUnaligned(as: UInt64.self)
                let special = JSONBytes.special(word)
                guard special != 0 else {
                    seen |= word
                    scan += 8
                    continue
                }
                let bits = special.trailingZeroBitCount & ~7
                seen |= word & ~(.max << UInt64(bits))
                scan += bits >> 3
            } else {
                while scan < end, !JSONBytes.isSpecial(scan.pointee) {
                    seen |= UInt64(scan.pointee)
                    scan += 1
                }
                guard scan < end else { throw .malformed }
            }
            switch scan.pointee {
            case UInt8(ascii: "\""):
                place = scan + 1
                let bytes = UnsafeBufferPointer(start: first, count: scan - first)
                if seen & 0x8080_8080_8080_8080 == 0 { return .plain(bytes) }
                guard let text = String(validating: bytes, as: UTF8.self) else { throw .malformed }
                return .text(text)
            case UInt8(ascii: "\\"): return .text(try escapedText())
            default: throw .malformed
            }
        }
    }

    @inline(never)
    private mutating func escapedText() throws(JSONError) -> String {
        var bytes: [UInt8] = []
        place += 1
        while place < end {
            let byte = place.pointee
            place += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: bytes, as: UTF8.self) else { throw .malformed }
                return text
            case UInt8(ascii: "\\"): try escape(into: &bytes)
            case 0..<0x20: throw .malformed
            default: bytes.append(byte)
            }
        }
        throw .malformed
    }

    private mutating func escape(into bytes: inout [UInt8]) throws(JSONError) {
        guard place < end else { throw .malformed }
        let letter = place.pointee
        place += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(letter)
        case UInt8(ascii: "b"): bytes.append(0x08)
        case UInt8(ascii: "f"): bytes.append(0x0C)
        case UInt8(ascii: "n"): bytes.append(0x0A)
        case UInt8(ascii: "r"): bytes.append(0x0D)
        case UInt8(ascii: "t"): bytes.append(0x09)
        case UInt8(ascii: "u"):
            var code = try hexadecimal()
            if code & 0xFC00 == 0xD800 {
                // The second half of a character beyond U+FFFF.
                guard end - place >= 2, place[0] == UInt8(ascii: "\\"), place[1] == UInt8(ascii: "u") else {
                    throw .malformed
                }
                place += 2
                let low = try hexadecimal()
                guard low & 0xFC00 == 0xDC00 else { throw .malformed }
                code = 0x10000 + (code & 0x3FF) << 10 + low & 0x3FF
            }
            guard let scalar = Unicode.Scalar(code) else { throw .malformed }
            bytes.append(contentsOf: Array(String(Character(scalar)).utf8))
        default: throw .malformed
        }
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt32 {
        guard end - place >= 4 else { throw .malformed }
        var code: UInt32 = 0
        for _ in 0..<4 {
            let digit: UInt8
            switch place.pointee {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = place.pointee - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = place.pointee - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = place.pointee - UInt8(ascii: "A") + 10
            default: throw .malformed
            }
            code = code << 4 | UInt32(digit)
            place += 1
        }
        return code
    }
}

/// The key of an object's member; valid until the reader ends.
public struct JSONKey {
    @usableFromInline let bytes: UnsafeBufferPointer<UInt8>
    /// The key, if it has escapes or non-ASCII characters.
    @usableFromInline let text: String?

    @usableFromInline
    init(bytes: UnsafeBufferPointer<UInt8>, text: String?) {
        self.bytes = bytes
        self.text = text
    }

    @usableFromInline var string: String { text ?? String(decoding: bytes, as: UTF8.self) }

    /// The key as data.
    ///
    /// - Throws: `JSONError` if it has too many combining marks, which make comparisons slow.
    @usableFromInline
    func name(_ rules: JSONRules) throws(JSONError) -> String {
        let name = string
        guard !rules.isStrict || !CombiningMarks(in: name).areTooMany else { throw .here(.tooManyMarks) }
        return name
    }

    /// - Parameter name: the name, in ASCII.
    @inlinable @inline(__always)
    static func ~= (name: StaticString, key: JSONKey) -> Bool {
        if let text = key.text {
            // Comparing the texts would sort their combining marks.
            return text.utf8.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
        }
        return key.bytes.count == name.utf8CodeUnitCount
            && (key.bytes.baseAddress.map { memcmp($0, name.utf8Start, key.bytes.count) == 0 } ?? false)
    }
}

/// The bytes with a meaning within a string, found eight at a time.
enum JSONBytes {
    @inline(__always)
    static func isSpecial(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x22 || byte == 0x5C }

    /// The high bit of each byte that is a quote, a backslash or a control character; exact up to the first such byte.
    @inline(__always)
    static func special(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        return ((word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash)
            & (ones &* 0x80)
    }
}
