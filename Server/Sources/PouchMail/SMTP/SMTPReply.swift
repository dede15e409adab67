import NIOCore

/// One answer of a mail server: a code of three digits and its lines.
struct SMTPReply: Sendable, Equatable {
    let code: Int
    /// The texts behind the codes.
    let lines: [String]

    /// The code and, if the server sends one, the RFC 3463 code, as in `550 5.1.1`. The rest of the text may contain
    /// addresses.
    var codes: String {
        let first = lines.first?.split(separator: " ").first.map(String.init) ?? ""
        return first.wholeMatch(of: #/[245]\.\d{1,3}\.\d{1,3}/#) == nil ? "\(code)" : "\(code) \(first)"
    }

    /// The words after a keyword in the answer to EHLO; nil for an extension that the server lacks.
    func parameters(of keyword: String) -> [String]? {
        for line in lines.dropFirst() {
            let words = line.uppercased().split(separator: " ").map(String.init)
            if words.first == keyword { return Array(words.dropFirst()) }
        }
        return nil
    }
}

/// Collects the bytes of a connection into replies.
struct SMTPReplyParser {
    /// More than the 512 octets of RFC 5321, since some servers send longer lines.
    static let longestLine = 2_048
    static let maxLines = 128

    struct Malformed: Error {}

    private var buffer = ByteBuffer()
    private var code: Int?
    private var lines: [String] = []

    /// Whether a part of an incomplete reply has arrived.
    var isInside: Bool { buffer.readableBytes > 0 || !lines.isEmpty }

    mutating func append(_ bytes: ByteBuffer) {
        buffer.writeImmutableBuffer(bytes)
    }

    /// - Returns: nil until another reply is complete.
    mutating func next() throws(Malformed) -> SMTPReply? {
        while let end = buffer.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
            let length = end - buffer.readerIndex
            guard length <= Self.longestLine, let bytes = buffer.readBytes(length: length + 1) else {
                throw Malformed()
            }
            var line = bytes.dropLast()
            if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
            let text = String(decoding: line, as: UTF8.self)
            guard let number = Int(text.prefix(3)), (200..<600).contains(number), code ?? number == number,
                lines.count < Self.maxLines
            else { throw Malformed() }
            let rest = text.dropFirst(3)
            guard rest.isEmpty || rest.first == " " || rest.first == "-" else { throw Malformed() }
            code = number
            lines.append(String(rest.dropFirst()))
            if rest.first != "-" {
                defer { (code, lines) = (nil, []) }
                return SMTPReply(code: number, lines: lines)
            }
        }
        buffer.discardReadBytes()
        guard buffer.readableBytes <= Self.longestLine else { throw Malformed() }
        return nil
    }
}
