import Foundation

/// Text without regard to case and accents, cut into words of letters and digits.
package struct FoldedText {
    package let words: [String]

    package init(_ text: String) {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else {
            words = text.decomposedStringWithCompatibilityMapping.lowercased().unicodeScalars
                .filter { $0.properties.generalCategory != .nonspacingMark }
                .split { !$0.properties.isAlphabetic && $0.properties.numericType == nil }
                .map { String(String.UnicodeScalarView($0)) }
            return
        }
        words = text.utf8.split { !Self.isWord($0) }.map { word in
            String(decoding: word.map { $0 &- UInt8(ascii: "A") < 26 ? $0 | 0x20 : $0 }, as: UTF8.self)
        }
    }

    /// The words with a space between.
    package var text: String { words.joined(separator: " ") }

    private static func isWord(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
    }
}
