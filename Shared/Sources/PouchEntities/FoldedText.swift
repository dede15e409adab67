import Foundation

/// Text in the form used for searching and sorting: lower case, without accents and ligatures.
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
        scan(text) {
            words.append($0)
        } space: {
        }
        return words
    }

    private static func scan(_ text: String, word found: (String) -> Void, space: () -> Void) {
        var word = String.UnicodeScalarView()
        for scalar in fold(text).unicodeScalars {
            if isLetterOrDigit(scalar) {
                word.append(scalar)
            } else if scalar != "'", scalar != "\u{2019}" {
                if !word.isEmpty { found(String(word)) }
                word = String.UnicodeScalarView()
                if scalar.properties.isWhitespace { space() }
            }
        }
        if !word.isEmpty { found(String(word)) }
    }

    /// The words by which a text is found: each begins with what people type.
    ///
    /// In addition to the text's own words, these are words joined by a hyphen or another sign, such as “tshirt” for
    /// “T-Shirt”, and in scripts without spaces every suffix of a word, since a word of the language may begin
    /// anywhere.
    public static func indexWords(in text: String) -> [String] {
        var found: [String] = []
        var joined: (text: String, count: Int) = ("", 0)
        func join() {
            if joined.count > 1, joined.text.utf8.count <= longestJoined { found.append(joined.text) }
            joined = ("", 0)
        }
        scan(text) { word in
            guard word.utf8.allSatisfy({ $0 < 0x80 }) else {
                found += pieces(of: word).flatMap(rests)
                return join()
            }
            found.append(word)
            joined = (joined.text + word, joined.count + 1)
        } space: {
            join()
        }
        join()
        return found
    }

    /// In a script without spaces, the suffixes of the piece from each of its letters; otherwise only the piece.
    private static func rests(of piece: String) -> [String] {
        guard let first = piece.unicodeScalars.first, isWithoutSpaces(first) else { return [piece] }
        let scalars = piece.unicodeScalars
        return scalars.indices.map { String(String.UnicodeScalarView(scalars[$0...].prefix(longestPiece))) }
    }

    /// The words of a search: the folded words, split where a script with spaces meets one without.
    public static func searchWords(in text: String) -> [String] {
        words(in: text).flatMap { word in
            pieces(of: word).flatMap { piece in
                let scalars = Array(piece.unicodeScalars)
                guard let first = scalars.first, isWithoutSpaces(first) else { return [piece] }
                return stride(from: 0, to: scalars.count, by: longestPiece).map { place in
                    // The last one is complete, too: a single letter would be found anywhere.
                    let start = max(0, min(place, scalars.count - longestPiece))
                    return String(String.UnicodeScalarView(scalars[start...].prefix(longestPiece)))
                }
            }
        }
    }

    /// The parts of a word in scripts with spaces and without.
    private static func pieces(of word: String) -> [String] {
        guard !word.utf8.allSatisfy({ $0 < 0x80 }) else { return [word] }
        var pieces: [String] = []
        var piece = String.UnicodeScalarView()
        for scalar in word.unicodeScalars {
            if let last = piece.last, isWithoutSpaces(last) != isWithoutSpaces(scalar) {
                pieces.append(String(piece))
                piece = String.UnicodeScalarView()
            }
            piece.append(scalar)
        }
        return pieces + [String(piece)]
    }

    /// The maximum length of an indexed piece of a text without spaces; a longer search is split into such pieces.
    /// Nearly every longer piece would be a separate word, and the index would not fit in memory.
    private static let longestPiece = 3
    private static let longestJoined = 40

    /// Whether a letter is Thai, Lao, Burmese, Khmer, Chinese or Japanese, in which words have no spaces between them.
    private static func isWithoutSpaces(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF, 0x31F0...0x31FF, 0x3400...0x4DBF,
            0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
            true
        default: false
        }
    }

    private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar) }
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }
}
