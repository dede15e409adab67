import Foundation

/// Appends JSON to one growing buffer.
///
/// Whether a comma is needed depends on the last byte: only an opening bracket that has no member yet ends in `{` or
/// `[`. A type writes its keys in ascending byte order.
public struct JSONWriter: ~Copyable {
    /// A number that JSON cannot represent: infinite, or not a number.
    public struct NotFinite: Error {}

    @usableFromInline var base: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    @usableFromInline var count = 0
    private let rules: JSONRules
    private var isFinite = true

    public init(_ rules: JSONRules = .answer) {
        self.rules = rules
        capacity = 1 << 10
        base = UnsafeMutablePointer(malloc(capacity).assumingMemoryBound(to: UInt8.self))
    }

    deinit { free(base) }

    /// The bytes, without a copy of the buffer.
    public consuming func finish() throws(NotFinite) -> Data {
        let (data, isFinite) = (Data(bytesNoCopy: base, count: count, deallocator: .free), isFinite)
        discard self
        guard isFinite else { throw NotFinite() }
        return data
    }

    // MARK: Bytes

    @inlinable @inline(__always)
    mutating func reserve(_ more: Int) {
        if capacity - count < more { grow(more) }
    }

    @usableFromInline @inline(never)
    mutating func grow(_ more: Int) {
        capacity = max(capacity * 2, count + more)
        base = realloc(base, capacity).assumingMemoryBound(to: UInt8.self)
    }

    @inlinable @inline(__always)
    mutating func byte(_ byte: UInt8) {
        reserve(1)
        base[count] = byte
        count += 1
    }

    @inlinable @inline(__always)
    mutating func raw(_ bytes: UnsafePointer<UInt8>, _ length: Int) {
        reserve(length)
        (base + count).update(from: bytes, count: length)
        count += length
    }

    @inlinable @inline(__always)
    mutating func raw(_ text: StaticString) { raw(text.utf8Start, text.utf8CodeUnitCount) }

    @inlinable @inline(__always)
    mutating func comma(unlessAfter opening: UInt8) {
        if base[count - 1] != opening { byte(UInt8(ascii: ",")) }
    }

    // MARK: Objects and lists

    @inlinable @inline(__always)
    public mutating func object(_ members: (inout JSONWriter) -> Void) {
        byte(UInt8(ascii: "{"))
        members(&self)
        byte(UInt8(ascii: "}"))
    }

    /// Writes the key of the next value in an object.
    public mutating func key(_ name: String) {
        comma(unlessAfter: UInt8(ascii: "{"))
        text(name)
        byte(UInt8(ascii: ":"))
    }

    @inlinable
    public mutating func list<Element: JSONCodable>(_ elements: [Element]) {
        list(of: elements) { element, json in element.write(to: &json) }
    }

    /// Writes a list of values with a closure, one for each element.
    @inlinable
    public mutating func list<Element>(of elements: [Element], _ write: (Element, inout JSONWriter) -> Void) {
        byte(UInt8(ascii: "["))
        for element in elements {
            comma(unlessAfter: UInt8(ascii: "["))
            write(element, &self)
        }
        byte(UInt8(ascii: "]"))
    }

    // MARK: Scalars

    public mutating func null() { raw("null") }

    public mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }

    public mutating func integer(_ value: Int64) {
        reserve(20)
        if value < 0 { byte(UInt8(ascii: "-")) }
        var rest = value.magnitude
        var digits = 1
        var bound: UInt64 = 10
        while digits < 19, rest >= bound {
            digits += 1
            bound *= 10
        }
        count += digits
        for position in 1...digits {
            let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 10)
            base[count - position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
            rest = quotient
        }
    }

    /// Writes the shortest text that parses as the same number.
    public mutating func number(_ value: Double) {
        guard value.isFinite else {
            isFinite = false
            return null()
        }
        var text = value.description
        if text.hasSuffix(".0") { text.removeLast(2) }
        unescaped(&text)
    }

    public mutating func time(_ date: Date) {
        guard rules.times == .text else { return number(date.timeIntervalSinceReferenceDate) }
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        guard let time = CivilTime(milliseconds: milliseconds) else { return text(WireTime.text(date)) }
        reserve(26)
        base[count] = UInt8(ascii: "\"")
        time.write(to: base + count + 1)
        base[count + 25] = UInt8(ascii: "\"")
        count += 26
    }

    public mutating func text(_ text: String) {
        var text = text
        byte(UInt8(ascii: "\""))
        if text.withUTF8({ Self.isPlain($0) }) {
            unescaped(&text)
        } else {
            for unit in text.utf8 { escaped(unit) }
        }
        byte(UInt8(ascii: "\""))
    }

    private mutating func unescaped(_ text: inout String) {
        text.withUTF8 { utf8 in
            if let start = utf8.baseAddress { raw(start, utf8.count) }
        }
    }

    private static func isPlain(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = utf8.baseAddress else { return true }
        var position = 0
        while position + 8 <= utf8.count {
            let word = UnsafeRawPointer(start + position).loadUnaligned(as: UInt64.self)
            if JSONBytes.special(word) != 0 { return false }
            position += 8
        }
        return !utf8[position...].contains(where: JSONBytes.isSpecial)
    }

    private mutating func escaped(_ unit: UInt8) {
        switch unit {
        case UInt8(ascii: "\""): raw("\\\"")
        case UInt8(ascii: "\\"): raw("\\\\")
        case 0x08: raw("\\b")
        case 0x09: raw("\\t")
        case 0x0A: raw("\\n")
        case 0x0C: raw("\\f")
        case 0x0D: raw("\\r")
        case 0..<0x20:
            let digits: StaticString = "0123456789abcdef"
            raw("\\u00")
            byte(digits.utf8Start[Int(unit >> 4)])
            byte(digits.utf8Start[Int(unit & 15)])
        default: byte(unit)
        }
    }
}
