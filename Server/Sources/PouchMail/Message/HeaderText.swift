import Foundation
import PouchEntities

/// Header field values made from text that people enter.
enum HeaderText {
    /// The maximum length of a line that RFC 2047 allows for a field with encoded words.
    private static let lineLength = 76

    /// A field with text that people enter, such as the subject.
    static func field(_ name: String, _ text: String) -> String {
        // No text may end the line, and so add a field to the header.
        let text = text.visible.trimmingCharacters(in: .whitespaces)
        let plain = "\(name): \(text)"
        guard isPlain(text), plain.utf8.count <= lineLength else { return "\(name): \(encodedWords(text))" }
        return plain
    }

    /// A field with an address.
    static func field(_ name: String, _ address: MailAddress) -> String {
        guard let person = address.name else { return "\(name): \(address.address)" }
        let phrase =
            if !isPlain(person) || person.utf8.count > 50 {
                encodedWords(person)
            } else if person.unicodeScalars.allSatisfy({ isAtom($0) || $0 == " " }) {
                person
            } else {
                "\"" + person.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
            }
        let line = "\(name): \(phrase) <\(address.address)>"
        return line.utf8.count <= lineLength ? line : "\(name): \(phrase)\r\n <\(address.address)>"
    }

    private static func isPlain(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { (0x20...0x7e).contains($0.value) } && !text.contains("=?")
    }

    private static func isAtom(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9": true
        default: "!#$%&'*+-/=?^_`{|}~".unicodeScalars.contains(scalar)
        }
    }

    /// The text as RFC 2047 encoded words, one per line, none of which splits a character.
    private static func encodedWords(_ text: String) -> String {
        // 52 characters of base 64, so that the first word fits behind the field's name.
        let room = 39
        var words: [Data] = [Data()]
        for scalar in text.unicodeScalars {
            let bytes = Data(String(scalar).utf8)
            if words[words.count - 1].count + bytes.count > room { words.append(Data()) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?utf-8?B?\($0.base64EncodedString())?=" }.joined(separator: "\r\n ")
    }
}
