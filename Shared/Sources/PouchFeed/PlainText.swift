extension String {
    /// One line: every run of white space and control characters is one space, none at the ends.
    public var singleLine: String {
        if isTidyASCII { return self }
        return split(whereSeparator: \.isBlank).joined(separator: " ")
    }

    /// Whether there is nothing to do for `singleLine`; most texts of a feed are so, and this is far quicker to see.
    private var isTidyASCII: Bool {
        let space = UInt8(ascii: " ")
        var previous = space
        for byte in utf8 {
            guard (space..<0x7F).contains(byte), byte != space || previous != space else { return false }
            previous = byte
        }
        return previous != space || isEmpty
    }

    /// Lines without white space at their ends, at most one empty line in a row, none at the ends of the text.
    public var tidyLines: String {
        var lines: [String] = []
        for line in split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map({ String($0).singleLine })
        where !(line.isEmpty && lines.last?.isEmpty ?? true) {
            lines.append(line)
        }
        if lines.last?.isEmpty == true { lines.removeLast() }
        return lines.joined(separator: "\n")
    }
}

extension Character {
    fileprivate var isBlank: Bool {
        isWhitespace || unicodeScalars.allSatisfy { $0.properties.generalCategory == .control }
    }
}
