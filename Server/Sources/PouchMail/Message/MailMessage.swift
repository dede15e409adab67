import Foundation
import PouchEntities

/// A finished e-mail: the same text as plain text and as HTML.
///
/// Its bytes depend only on its values, so an e-mail that is sent again is identical to the last byte.
public struct MailMessage: Sendable, Equatable {
    /// The local part of the Message-ID; letters, digits and underscores.
    public let id: String
    public let from: MailAddress
    public let replyTo: MailAddress?
    public let to: MailAddress
    public let subject: String
    public let date: Date
    public let text: String
    public let html: String

    public init(
        id: String, from: MailAddress, replyTo: MailAddress? = nil, to: MailAddress, subject: String, date: Date,
        text: String, html: String
    ) {
        self.id = id
        self.from = from
        self.replyTo = replyTo
        self.to = to
        self.subject = subject
        self.date = date
        self.text = text
        self.html = html
    }

    /// Whether the header has non-ASCII bytes, which only a server with SMTPUTF8 accepts.
    var needsUTF8: Bool { ![from, to].allSatisfy(\.isASCII) || replyTo?.isASCII == false }

    /// The RFC 5322 message, with lines that end with CRLF.
    public func bytes() -> Data {
        // No line of the encoded parts contains "=_".
        let boundary = "=_\(id)"
        let header = [
            "Date: \(Self.rfc5322(date))",
            HeaderText.field("From", from),
            replyTo.map { HeaderText.field("Reply-To", $0) },
            HeaderText.field("To", to),
            HeaderText.field("Subject", subject),
            "Message-ID: <\(id)@\(from.domain)>",
            "MIME-Version: 1.0",
            // Asks other programs not to reply automatically (RFC 3834).
            "Auto-Submitted: auto-generated",
            // On two lines, since RFC 5322 recommends at most 78 characters.
            "Content-Type: multipart/alternative;\r\n boundary=\"\(boundary)\"",
        ]
        var message = header.compactMap(\.self).map { $0 + "\r\n" }.joined() + "\r\n"
        for (type, body) in [("text/plain", text), ("text/html", html)] {
            message += "--\(boundary)\r\nContent-Type: \(type); charset=utf-8\r\n"
            message += "Content-Transfer-Encoding: quoted-printable\r\n\r\n"
            message += QuotedPrintable.encode(body) + "\r\n"
        }
        message += "--\(boundary)--\r\n"
        return Data(message.utf8)
    }

    private static func rfc5322(_ date: Date) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.weekday, .day, .month, .year, .hour, .minute, .second], from: date)
        let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        func two(_ number: Int?) -> String { String(String(100 + (number ?? 0)).suffix(2)) }
        return "\(days[(parts.weekday ?? 1) - 1]), \(parts.day ?? 1) \(months[(parts.month ?? 1) - 1]) "
            + "\(parts.year ?? 1970) \(two(parts.hour)):\(two(parts.minute)):\(two(parts.second)) +0000"
    }
}

/// The encoding of RFC 2045 §6.7: ASCII text with lines of at most 76 characters.
enum QuotedPrintable {
    private static let lineLength = 76

    static func encode(_ text: String) -> String {
        var encoded = ""
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            var length = 0
            let bytes = Array(line.utf8)
            for (index, byte) in bytes.enumerated() {
                let isLast = index == bytes.count - 1
                let isPlain = (0x21...0x7e).contains(byte) && byte != UInt8(ascii: "=")
                let isBlank = (byte == 0x20 || byte == 0x09) && !isLast
                let piece = isPlain || isBlank ? String(Unicode.Scalar(byte)) : escaped(byte)
                // The last column is for the "=" of a soft break.
                if length + piece.utf8.count > lineLength - 1 {
                    encoded += "=\r\n"
                    length = 0
                }
                encoded += piece
                length += piece.utf8.count
            }
            encoded += "\r\n"
        }
        return encoded
    }

    private static func escaped(_ byte: UInt8) -> String {
        "=" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }
}

/// An e-mail address, with or without a name before it.
///
///     MailAddress("The Burrow <shop@example.com>")?.address   // shop@example.com
public struct MailAddress: Sendable, Equatable {
    public let name: String?
    /// A local part without quotes and a domain, as in `ada@example.com`. A domain in another script is in its ASCII
    /// form.
    public let address: String

    /// - Returns: nil for a text that is not valid in an e-mail's header and an SMTP command.
    public init?(address: String, name: String? = nil) {
        guard let checked = EmailAddress(address) else { return nil }
        self.address = checked.address
        let name = name?.visible.trimmingCharacters(in: .whitespaces)
        self.name = name?.isEmpty == false ? name : nil
    }

    /// - Parameter text: `name <address>` or an address.
    public init?(_ text: String) {
        let text = text.trimmingCharacters(in: .whitespaces)
        // Otherwise a line break would become part of the name.
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return nil }
        guard text.hasSuffix(">"), let open = text.lastIndex(of: "<") else {
            self.init(address: text)
            return
        }
        let name = text[..<open].trimmingCharacters(in: .whitespaces)
        let isQuoted = name.count >= 2 && name.hasPrefix("\"") && name.hasSuffix("\"")
        self.init(
            address: String(text[text.index(after: open)...].dropLast()),
            name: isQuoted ? String(name.dropFirst().dropLast()) : name)
    }

    /// The sender of a shop that has no name yet, for e-mails that stay on this machine.
    public static let unnamedShop = MailAddress(checked: "shop@localhost", name: "The shop")

    private init(checked address: String, name: String) { (self.address, self.name) = (address, name) }

    /// The host of the address.
    var domain: Substring { address[address.index(after: address.lastIndex(of: "@") ?? address.startIndex)...] }

    /// Whether the address can be used with a server that does not support SMTPUTF8.
    var isASCII: Bool { address.utf8.allSatisfy { $0 < 0x80 } }
}

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
