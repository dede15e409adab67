/// The encoding of a text file, as determined from its bytes.
enum TextEncoding: Equatable {
    case utf8
    case utf16(isBigEndian: Bool)
    /// The encoding of spreadsheets on Windows.
    case windows1252

    /// Determines the encoding from a byte order mark, or from the zeros of ASCII text; nil if the beginning is not
    /// enough.
    init?(beginning bytes: some Collection<UInt8>) {
        let first = Array(bytes.prefix(4))
        switch first.prefix(2) {
        case [0xFF, 0xFE]: self = .utf16(isBigEndian: false)
        case [0xFE, 0xFF]: self = .utf16(isBigEndian: true)
        default:
            switch first.map({ $0 == 0 }) {
            case [false, true, false, true]: self = .utf16(isBigEndian: false)
            case [true, false, true, false]: self = .utf16(isBigEndian: true)
            default: return nil
            }
        }
    }
}

/// Determines from all bytes of a file whether it is UTF-8 or, if no letter is UTF-8, Windows-1252.
struct ByteSurvey {
    private var beginning: [UInt8] = []
    private var missing = 0
    private var hasLetters = false
    private var isBroken = false
    private var isWindows = true
    /// The bytes without a character in Windows-1252.
    private static let unused: Set<UInt8> = [0x81, 0x8D, 0x8F, 0x90, 0x9D]

    var encoding: TextEncoding {
        if let encoding = TextEncoding(beginning: beginning) { return encoding }
        // A file with both has broken cells, which are reported one by one.
        return (isBroken || missing > 0) && !hasLetters && isWindows ? .windows1252 : .utf8
    }

    mutating func read(_ bytes: [UInt8]) {
        if beginning.count < 4 { beginning += bytes.prefix(4 - beginning.count) }
        for byte in bytes where byte >= 0x80 || missing > 0 {
            if byte >= 0x80, Self.unused.contains(byte) { isWindows = false }
            if missing > 0, byte & 0xC0 == 0x80 {
                missing -= 1
                hasLetters = hasLetters || missing == 0
                continue
            }
            isBroken = isBroken || missing > 0
            switch byte {
            case 0xC2...0xDF: missing = 1
            case 0xE0...0xEF: missing = 2
            case 0xF0...0xF4: missing = 3
            default:
                missing = 0
                isBroken = isBroken || byte >= 0x80
            }
        }
    }
}

/// Converts the bytes of a text to UTF-8, chunk by chunk.
struct TextDecoder {
    let encoding: TextEncoding
    /// A part of a UTF-16 character.
    private var rest: [UInt8] = []
    private var isAtStart = true
    private static let byteOrderMark: Unicode.Scalar = "\u{FEFF}"

    init(_ encoding: TextEncoding) {
        self.encoding = encoding
    }

    mutating func decode(_ bytes: [UInt8]) -> [UInt8] {
        switch encoding {
        case .utf8: return bytes
        case .windows1252:
            guard bytes.contains(where: { $0 >= 0x80 }) else { return bytes }
            return Array(String(String.UnicodeScalarView(bytes.map(Self.scalar))).utf8)
        case .utf16(let isBigEndian): return decode(bytes, isBigEndian)
        }
    }

    private mutating func decode(_ bytes: [UInt8], _ isBigEndian: Bool) -> [UInt8] {
        let all = rest + bytes
        var units: [UInt16] = []
        for index in stride(from: 0, to: all.count - 1, by: 2) {
            let (first, second) = (UInt16(all[index]), UInt16(all[index + 1]))
            units.append(isBigEndian ? first << 8 | second : second << 8 | first)
        }
        // The second half of a pair is in the next chunk.
        let isHalf = units.last.map { UTF16.isLeadSurrogate($0) } ?? false
        if isHalf { units.removeLast() }
        rest = Array(all[(units.count * 2)...])
        var text = String(decoding: units, as: UTF16.self)
        if isAtStart, !units.isEmpty {
            isAtStart = false
            if text.unicodeScalars.first == Self.byteOrderMark { text.unicodeScalars.removeFirst() }
        }
        return Array(text.utf8)
    }

    private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        (0x80...0x9F).contains(byte) ? special[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }

    /// The characters for 0x80...0x9F in Windows-1252.
    private static let special = Array(
        "€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
}
