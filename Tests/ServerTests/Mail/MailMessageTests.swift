import Foundation
import NIOCore
import Testing

@testable import PouchMail

@Suite("Messages")
struct MailMessageTests {
    private func message(
        subject: String = "Hello", name: String? = nil, text: String = "Text", html: String = "<p>Text</p>"
    ) throws -> MailMessage {
        MailMessage(
            id: "mai_1", from: try #require(MailAddress("The Burrow <shop@example.com>")),
            to: try #require(MailAddress(address: "ada@example.com", name: name)), subject: subject,
            date: Date(timeIntervalSince1970: 1_764_075_840), text: text, html: html)
    }

    /// The lines of the header.
    private func header(_ message: MailMessage) throws -> [String] {
        let text = String(decoding: message.bytes(), as: UTF8.self)
        let header = try #require(text.firstRange(of: "\r\n\r\n").map { text[..<$0.lowerBound] })
        return header.components(separatedBy: "\r\n")
    }

    @Test func `The header names date, sender, recipient, subject and the id of the mail`() throws {
        #expect(
            try header(message()) == [
                "Date: Tue, 25 Nov 2025 13:04:00 +0000", "From: The Burrow <shop@example.com>", "To: ada@example.com",
                "Subject: Hello", "Message-ID: <mai_1@example.com>", "MIME-Version: 1.0",
                "Auto-Submitted: auto-generated",
                "Content-Type: multipart/alternative;", " boundary=\"=_mai_1\"",
            ])
    }

    @Test(arguments: ["\r\n", "\n", "\r", "\u{2028}", "\u{85}", "\u{0B}"])
    func `A name or subject with a line break adds no field`(lineBreak: String) throws {
        let evil = "Eve\(lineBreak)Bcc: victim@example.com\(lineBreak)\(lineBreak)Body"
        let lines = try header(message(subject: evil, name: evil))
        #expect(lines.count == 8 || lines.count == 9, "\(lines)")
        #expect(!lines.contains { $0.lowercased().hasPrefix("bcc") })
    }

    @Test func `Other scripts are encoded in words that split no character and lines that are not too long`() throws {
        let subject = String(repeating: "Schöne Grüße 🦘 ", count: 12)
        let lines = try header(message(subject: subject, name: "Zoë O'Brien, \"the\" Ünique"))
        #expect(lines.allSatisfy { $0.utf8.count <= 76 && $0.utf8.allSatisfy { $0 < 0x80 } }, "\(lines)")
        let first = try #require(lines.firstIndex { $0.hasPrefix("Subject: ") })
        let words = [String(lines[first].dropFirst(9))] + lines[(first + 1)...].prefix { $0.hasPrefix(" ") }
        let decoded = try words.map { word in
            let base64 = word.trimmingCharacters(in: .whitespaces).dropFirst("=?utf-8?B?".count).dropLast(2)
            return String(decoding: try #require(Data(base64Encoded: String(base64))), as: UTF8.self)
        }
        #expect(decoded.joined() == subject.trimmingCharacters(in: .whitespaces))
        #expect(!decoded.contains { $0.contains("\u{FFFD}") })
    }

    @Test func `A name with special characters is quoted`() throws {
        let lines = try header(message(name: #"Brown, "Bo" \ Sons"#))
        #expect(lines.contains(#"To: "Brown, \"Bo\" \\ Sons" <ada@example.com>"#), "\(lines)")
    }

    @Test func `Bodies have short lines in ASCII with CRLF, and keep their text`() throws {
        let text = "Grüße = 100 %\n. a dot\ntrailing blank \n" + String(repeating: "long words ", count: 30)
        let bytes = String(decoding: try message(text: text).bytes(), as: UTF8.self)
        let lines = bytes.components(separatedBy: "\r\n")
        #expect(lines.allSatisfy { $0.utf8.count <= 76 && !$0.contains("\n") && !$0.hasSuffix(" ") })
        #expect(bytes.utf8.allSatisfy { $0 < 0x80 })
        let encoded = QuotedPrintable.encode(text).replacing("=\r\n", with: "")
        let percent = encoded.replacing("%", with: "%25").replacing("=", with: "%").replacing("\r\n", with: "\n")
        #expect(percent.removingPercentEncoding == text + "\n")
    }

    @Test(.inFolder)
    func `The same mail has the same bytes, which only its owner can read in a folder open to others`() async throws {
        let folder = TemporaryFolder.current
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        let path = folder.appending(path: "mai_1.eml").path
        for _ in 0..<2 {
            try await MailFolder(folder).deliver(message())
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            #expect(FileManager.default.contents(atPath: path) == (try message().bytes()))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["mai_1.eml"])
    }

    @Test(arguments: [
        ("a", "a\r\n.\r\n"), (".", "..\r\n.\r\n"), ("a\r\n.b\r\n..\r\n", "a\r\n..b\r\n...\r\n.\r\n"), ("", ".\r\n"),
        ("a.b\r\n", "a.b\r\n.\r\n"),
    ])
    func `Dots at the start of lines are doubled, and one ends the mail`(text: String, sent: String) {
        #expect(String(buffer: SMTPConnection.stuffed(Data(text.utf8))) == sent)
    }

    @Test(arguments: [
        ("ada@example.com", "ada@example.com"), ("a.b+c@mail.example.com", "a.b+c@mail.example.com"),
        ("ada@bücher.example", "ada@xn--bcher-kva.example"), ("用户@example.com", "用户@example.com"),
        ("shop@localhost", "shop@localhost"),
    ])
    func `Addresses of all scripts are accepted`(text: String, address: String) {
        #expect(MailAddress(text)?.address == address)
    }

    @Test(arguments: [
        "", "ada", "@example.com", "ada@", "a b@example.com", "ada@exam ple.com", "a..b@example.com", ".a@example.com",
        "ada@-example.com", "ada@example..com", "ada>@example.com", "ada@example.com>", "<ada@example.com",
        "ada@example.com\r\nRCPT TO:<eve@example.com>", "ada@example.com,eve@example.com", "\"a b\"@example.com",
        "ada\u{2028}@example.com", "ada\u{202E}@example.com", "ada@[127.0.0.1]", "ada@exa_mple.com",
    ])
    func `A text that could end an SMTP command or a header is not an address`(text: String) {
        #expect(MailAddress(text) == nil)
    }
}
