// MARK: - Width

extension StringProtocol {
    /// The number of terminal columns of the text in one line.
    public var columns: Int { reduce(0) { $0 + $1.columns } }

    /// The characters as terminals place them: each is at most two columns wide.
    var glyphs: [Character] { flatMap(\.glyphs) }
}

extension Character {
    /// The number of terminal columns: 2 for wide East Asian characters and for emoji, 0 for a combining mark on its
    /// own, otherwise 1 for each letter in it that terminals show separately.
    public var columns: Int {
        if let ascii = utf8.count == 1 ? utf8.first : nil { return (0x20..<0x7F).contains(ascii) ? 1 : 0 }
        let scalars = unicodeScalars
        guard let first = scalars.first else { return 0 }
        if first.isWide { return scalars.count == 1 && first.isRegionalIndicator ? 1 : 2 }
        // The variation selector selects the emoji of a character that also has a one-column form, such as ☂️.
        if scalars.contains("\u{FE0F}"), first.properties.isEmoji { return 2 }
        return scalars.count { !$0.takesNoColumn }
    }

    /// The parts of a character that Unicode joins and terminals show next to each other, for example vowels after
    /// consonants in Thai and in Indian scripts. Every other character is one part.
    fileprivate var glyphs: [Character] {
        guard let first = unicodeScalars.first, unicodeScalars.count > 1, !first.isWide, columns > 1,
            !unicodeScalars.contains("\u{FE0F}")
        else { return [self] }
        return unicodeScalars.reduce(into: [String.UnicodeScalarView]()) { parts, scalar in
            if scalar.takesNoColumn, !parts.isEmpty {
                parts[parts.count - 1].append(scalar)
            } else {
                parts.append(String.UnicodeScalarView([scalar]))
            }
        }.flatMap { String($0) }
    }
}

extension Unicode.Scalar {
    /// East Asian Width W and F of Unicode Standard Annex 11, as blocks. Wide emoji are found by a property instead.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4C6,
        0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x3FFFD,
    ]

    fileprivate var isWide: Bool {
        guard value >= 0x1100 else { return false }
        return properties.isEmojiPresentation || Self.wide.contains { $0.contains(value) }
    }

    fileprivate var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

    fileprivate var takesNoColumn: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .control, .format, .lineSeparator, .paragraphSeparator: value != 0xAD
        // The vowels and final consonants of Hangul join the syllable before them.
        default: (0x1160...0x11FF).contains(value)
        }
    }
}

// MARK: - Safety

extension String {
    /// The text in one line, without anything that could control a terminal. Line breaks and tabs become spaces; other
    /// control characters, and those that change the writing direction, are removed. Applied to all text from servers
    /// and users before it is shown.
    public var harmless: String {
        guard !utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.compactMap(\.harmless)))
    }
}

extension Unicode.Scalar {
    private static let directions: [ClosedRange<UInt32>] = [0x202A...0x202E, 0x2066...0x2069]

    fileprivate var harmless: Unicode.Scalar? {
        switch properties.generalCategory {
        case .control: self == "\n" || self == "\t" ? " " : nil
        case .lineSeparator, .paragraphSeparator: " "
        default: Self.directions.contains { $0.contains(value) } ? nil : self
        }
    }
}
