import Foundation

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
