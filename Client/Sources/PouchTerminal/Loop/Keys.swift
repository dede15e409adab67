/// A key press. Modifiers of keys that do not write a character are ignored.
public enum Key: Sendable, Hashable {
    /// One Unicode scalar, which may combine with the character before it.
    case character(Character)
    /// Ctrl with a lower-case letter, a space or one of `\]^_`.
    case control(Character)
    case alt(Character)
    case enter
    case tab
    case backTab
    case backspace
    case delete
    case insert
    case escape
    case up, down, left, right
    case home, end, pageUp, pageDown
    /// F1 is 1.
    case function(Int)
    /// Text from the clipboard, at most `KeyDecoder.pasteLimit` bytes.
    case paste(String)

    /// Whether the key leads back to the previous screen, unless an element of the screen uses it.
    public var isBack: Bool { [.escape, .left, .backspace].contains(self) }
}

/// Decodes the bytes from a terminal into keys, however the bytes are split.
public struct KeyDecoder: Sendable {
    /// The maximum size of a paste, in bytes; the rest is ignored.
    public static let pasteLimit = 64 << 10
    /// The maximum size of an escape sequence, in bytes; a longer one is invalid.
    private static let sequenceLimit = 32
    private static let pasteEnd = Array("\u{1B}[201~".utf8)

    private enum Step {
        case key(Key, Int)
        /// Bytes that are not a key.
        case skip(Int)
        case startPaste(Int)
        case needsMore
    }

    private var pending: [UInt8] = []
    private var paste: [UInt8]?

    public init() {}

    /// Whether the last bytes are either a key or the start of a longer one. If no more bytes follow in time, call
    /// `flush`.
    public var isUndecided: Bool { paste == nil && !pending.isEmpty }

    public mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
        pending += bytes
        var keys: [Key] = []
        var index = 0
        scan: while index < pending.count {
            if paste != nil {
                guard let key = takePaste(from: &index) else { break }
                keys.append(key)
                continue
            }
            switch Self.step(pending[index...]) {
            case .key(let key, let count):
                keys.append(key)
                index += count
            case .skip(let count): index += count
            case .startPaste(let count):
                paste = []
                index += count
            case .needsMore: break scan
            }
        }
        pending.removeFirst(index)
        return keys
    }

    /// Decodes undecided bytes as complete keys, so that Esc alone becomes the key Esc. Call this when no bytes have
    /// arrived for a while.
    public mutating func flush() -> [Key] {
        guard isUndecided else { return [] }
        let bytes = pending
        pending = []
        guard bytes.first == 0x1B else { return [] }
        return [.escape] + decode(bytes.dropFirst())
    }

    /// Consumes bytes of the paste. Its end sequence may also be split.
    private mutating func takePaste(from index: inout Int) -> Key? {
        let rest = pending[index...]
        let end = rest.firstRange(of: Self.pasteEnd)
        let text = rest[..<(end?.lowerBound ?? max(index, pending.count - Self.pasteEnd.count + 1))]
        let room = Self.pasteLimit - (paste?.count ?? 0)
        paste?.append(contentsOf: text.prefix(max(0, room)))
        guard let end else {
            index = text.endIndex
            return nil
        }
        index = end.upperBound
        defer { paste = nil }
        return .paste(String(decoding: paste ?? [], as: UTF8.self))
    }

    private static func step(_ bytes: ArraySlice<UInt8>) -> Step {
        guard let first = bytes.first else { return .needsMore }
        switch first {
        case 0x1B: return escapeStep(bytes)
        case 0x0D, 0x0A: return .key(.enter, 1)
        case 0x09: return .key(.tab, 1)
        case 0x08, 0x7F: return .key(.backspace, 1)
        case 0x00: return .key(.control(" "), 1)
        case 0x01...0x1A: return .key(.control(Character(Unicode.Scalar(first + 0x60))), 1)
        case 0x1C...0x1F: return .key(.control(Character(Unicode.Scalar(first + 0x40))), 1)
        case 0x20..<0x7F: return .key(.character(Character(Unicode.Scalar(first))), 1)
        default: return scalarStep(bytes)
        }
    }

    private static func scalarStep(_ bytes: ArraySlice<UInt8>) -> Step {
        let count: Int
        switch bytes[bytes.startIndex] {
        case 0xC2...0xDF: count = 2
        case 0xE0...0xEF: count = 3
        case 0xF0...0xF4: count = 4
        default: return .skip(1)
        }
        let continued = bytes.dropFirst().prefix(count - 1)
        guard continued.allSatisfy({ (0x80...0xBF).contains($0) }) else { return .skip(1) }
        guard continued.count == count - 1 else { return .needsMore }
        guard let text = String(validating: bytes.prefix(count), as: UTF8.self), let character = text.first,
            character.unicodeScalars.first?.properties.generalCategory != .control
        else { return .skip(count) }
        return .key(.character(character), count)
    }

    private static func escapeStep(_ bytes: ArraySlice<UInt8>) -> Step {
        guard let second = bytes.dropFirst().first else { return .needsMore }
        switch second {
        case UInt8(ascii: "["): return controlSequenceStep(bytes)
        case UInt8(ascii: "O"):
            guard let final = bytes.dropFirst(2).first else { return .needsMore }
            return key(final: final, parameters: []).map { .key($0, 3) } ?? .skip(3)
        case 0x1B: return .key(.escape, 1)
        case 0x20..<0x7F: return .key(.alt(Character(Unicode.Scalar(second))), 2)
        default: return .key(.escape, 1)
        }
    }

    /// ECMA-48: parameters, intermediates, one final byte.
    private static func controlSequenceStep(_ bytes: ArraySlice<UInt8>) -> Step {
        let body = bytes.dropFirst(2)
        guard let end = body.firstIndex(where: { !(0x20...0x3F).contains($0) }) else {
            return body.count > sequenceLimit ? .skip(bytes.count) : .needsMore
        }
        let count = end - bytes.startIndex + 1
        let final = bytes[end]
        // The Linux console's F1 to F5 have a second bracket.
        if final == UInt8(ascii: "["), end == body.startIndex { return body.count < 2 ? .needsMore : .skip(4) }
        guard (0x40...0x7E).contains(final) else { return .skip(count - 1) }
        let parameters = String(decoding: body[..<end], as: UTF8.self).split(
            separator: ";", omittingEmptySubsequences: false
        ).map { Int($0) }
        if final == UInt8(ascii: "~"), parameters.first == 200 { return .startPaste(count) }
        return key(final: final, parameters: parameters).map { .key($0, count) } ?? .skip(count)
    }

    private static func key(final: UInt8, parameters: [Int?]) -> Key? {
        let final = Character(Unicode.Scalar(final))
        return final == "~" ? numbered[(parameters.first ?? nil) ?? 0] : lettered[final]
    }

    private static let lettered: [Character: Key] = [
        "A": .up, "B": .down, "C": .right, "D": .left, "F": .end, "H": .home, "M": .enter, "Z": .backTab,
        "P": .function(1), "Q": .function(2), "R": .function(3), "S": .function(4),
    ]

    private static let numbered: [Int: Key] = [
        1: .home, 2: .insert, 3: .delete, 4: .end, 5: .pageUp, 6: .pageDown, 7: .home, 8: .end,
        11: .function(1), 12: .function(2), 13: .function(3), 14: .function(4), 15: .function(5), 17: .function(6),
        18: .function(7), 19: .function(8), 20: .function(9), 21: .function(10), 23: .function(11), 24: .function(12),
    ]
}
