extension String {
    /// The text in one line: every run of white space and control characters becomes one space, with none at the ends.
    public var singleLine: String {
        if isTidyASCII { return self }
        return split(whereSeparator: \.isBlank).joined(separator: " ")
    }

    /// The text with a space instead of each invisible character that could end a line, or control a terminal, a
    /// printer or the writing direction.
    public var visible: String {
        String(UnicodeScalarView(unicodeScalars.map { $0.isInvisible ? " " : $0 }))
    }

    /// The text in lines of at most `width` characters, broken at spaces.
    ///
    /// - Parameter breaksWords: whether to break words longer than a line.
    public func wrapped(to width: Int, breaksWords: Bool) -> [String] {
        var lines = [""]
        for word in split(separator: " ") {
            var word = word
            let last = lines[lines.count - 1]
            if !last.isEmpty, last.count + 1 + word.count <= width {
                lines[lines.count - 1] += " " + word
                continue
            }
            if !last.isEmpty { lines.append("") }
            while breaksWords, word.count > width {
                lines[lines.count - 1] = String(word.prefix(width))
                lines.append("")
                word = word.dropFirst(width)
            }
            lines[lines.count - 1] = String(word)
        }
        return lines
    }

    /// Whether the text is a single line already. A fast path, since this is true for most texts of a feed.
    private var isTidyASCII: Bool {
        let space = UInt8(ascii: " ")
        var previous = space
        for byte in utf8 {
            guard (space..<0x7F).contains(byte), byte != space || previous != space else { return false }
            previous = byte
        }
        return previous != space || isEmpty
    }

    /// The text without white space at the ends of lines, repeated empty lines, and empty lines at the ends.
    public var tidyLines: String {
        var lines: [String] = []
        for line in split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map({ String($0).singleLine })
        where !(line.isEmpty && lines.last?.isEmpty ?? true) {
            lines.append(line)
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n")
    }

    /// The text as `[a-z0-9-]`: accents are folded, apostrophes are removed, and single hyphens separate words.
    ///
    /// The same on every machine and in every run, since handles and SKUs are derived from it. Letters of other scripts
    /// are written as the hexadecimal number of their code point, so that their names stay distinct. Empty if the text
    /// has neither letters nor digits.
    public var slug: String {
        FoldedText.words(in: self).map { word in
            word.unicodeScalars.map { $0.isASCII ? String($0) : String($0.value, radix: 16) }.joined()
        }.joined(separator: "-")
    }

    /// The slug as a handle: never empty, and with room for a number that distinguishes it from others.
    public var handle: String {
        let slug = String(slug.prefix(ModelLimits.textLength.upperBound - 8))
        guard !slug.isEmpty else { return "product" }
        return slug.hasSuffix("-") ? String(slug.dropLast()) : slug
    }
}

extension Character {
    fileprivate var isBlank: Bool {
        isWhitespace || unicodeScalars.allSatisfy { $0.properties.generalCategory == .control }
    }
}

extension Unicode.Scalar {
    /// Whether it is a control or format character, or separates lines or paragraphs.
    public var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
