import Foundation

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
