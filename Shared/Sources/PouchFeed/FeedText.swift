import Foundation

extension String {
    /// The text in one line: every run of white space and control characters becomes one space, none at the ends.
    public var singleLine: String {
        if isTidyASCII { return self }
        return split(whereSeparator: \.isBlank).joined(separator: " ")
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

    /// The text without white space at the ends of lines, without repeated empty lines, and without empty lines at the
    /// ends.
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

extension String {
    /// The text as `[a-z0-9-]`: accents are folded, apostrophes are removed, and one hyphen separates words.
    ///
    /// The same on every machine and in every run, since handles and SKUs are made of it. Letters of other scripts are
    /// written as the hexadecimal number of their code point, so that their names stay distinct. Empty if the text has
    /// neither letters nor digits.
    public var slug: String {
        FoldedText.words(in: self).map { word in
            word.unicodeScalars.map { $0.isASCII ? String($0) : String($0.value, radix: 16) }.joined()
        }.joined(separator: "-")
    }
}

/// Text in the form that is searched and sorted: lower case, without accents and ligatures.
public enum FoldedText {
    /// Letters that Unicode does not decompose into a base letter and an accent.
    private static let plainLetters: [Unicode.Scalar: String] = [
        "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ħ": "h", "ı": "i",
    ]

    public static func fold(_ text: String) -> String {
        let lower = text.lowercased()
        guard !lower.utf8.allSatisfy({ $0 < 0x80 }) else { return lower }
        var folded = String.UnicodeScalarView()
        for scalar in lower.decomposedStringWithCompatibilityMapping.unicodeScalars
        where scalar.properties.generalCategory != .nonspacingMark {
            if let plain = plainLetters[scalar] {
                folded.append(contentsOf: plain.unicodeScalars)
            } else {
                folded.append(scalar)
            }
        }
        return String(folded)
    }

    /// The folded words of a text, which are runs of letters and digits; an apostrophe does not end a word.
    public static func words(in text: String) -> [String] {
        var words: [String] = []
        var word = String.UnicodeScalarView()
        for scalar in fold(text).unicodeScalars {
            if isLetterOrDigit(scalar) {
                word.append(scalar)
            } else if scalar != "'", scalar != "\u{2019}", !word.isEmpty {
                words.append(String(word))
                word = String.UnicodeScalarView()
            }
        }
        if !word.isEmpty { words.append(String(word)) }
        return words
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) }
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
}
