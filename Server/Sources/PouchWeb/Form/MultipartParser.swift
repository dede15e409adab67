import Foundation
import NIOCore

/// The reason why a body is not a valid form with files.
enum MultipartError: Error, Equatable {
    case malformed
    /// The body ends before its last boundary.
    case incomplete
    /// The header of a part is too long.
    case headerTooLarge
}

/// Parses a body of `multipart/form-data` (RFC 7578). It buffers no more bytes than the header of a part, or the start
/// of a possible boundary.
///
///     var parser = try MultipartParser(boundary: "xYz")
///     parser.receive(piece)
///     while let event = try parser.next() { … }
struct MultipartParser {
    enum Event: Equatable {
        case part(MultipartHead)
        /// The next bytes of the part.
        case bytes(ByteBuffer)
        case endOfPart
        /// The last boundary. Anything after it is ignored.
        case end
    }

    private enum Place {
        /// Before the first boundary.
        case start
        case header
        case content
        /// After the last part.
        case last
        case ended
    }

    private enum Found {
        /// The number of bytes before a possible boundary.
        case bytes(Int)
        case boundary(isLast: Bool)
        /// The start of a possible boundary.
        case unknown
    }

    static let maxHeaderBytes = 4 << 10

    /// A boundary, including the line ending before it.
    private let delimiter: [UInt8]
    private var place = Place.start
    /// The received bytes that were not returned yet. The first boundary needs no line before it.
    private var buffer = ByteBuffer(string: "\r\n")

    /// - Throws: `MultipartError.malformed` for a text that cannot be a boundary (RFC 2046 §5.1.1).
    init(boundary: String) throws(MultipartError) {
        let isValid = boundary.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            default: "'()+_,-./:=? ".utf8.contains(byte)
            }
        }
        guard isValid, (1...70).contains(boundary.utf8.count), boundary.last != " " else { throw .malformed }
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    mutating func receive(_ piece: ByteBuffer) {
        buffer.discardReadBytes()
        buffer.writeImmutableBuffer(piece)
    }

    /// Returns the next event; nil if more bytes are needed, and after the end.
    mutating func next() throws(MultipartError) -> Event? {
        switch place {
        case .start:
            switch try search() {
            case .unknown: return nil
            case .bytes: throw .malformed
            case .boundary(let isLast):
                place = isLast ? .last : .header
                return try next()
            }
        case .header:
            guard let head = try header() else { return nil }
            place = .content
            return .part(head)
        case .content:
            switch try search() {
            case .unknown: return nil
            case .bytes(let count): return buffer.readSlice(length: count).map(Event.bytes)
            case .boundary(let isLast):
                place = isLast ? .last : .header
                return .endOfPart
            }
        case .last:
            place = .ended
            return .end
        case .ended: return nil
        }
    }

    // MARK: Steps

    /// Finds the next item, and skips a boundary.
    private mutating func search() throws(MultipartError) -> Found {
        let (offset, isWhole) = buffer.withUnsafeReadableBytes(delimiterOffset)
        guard offset == 0 else { return .bytes(offset) }
        // The two bytes after the boundary show whether it is the last.
        guard isWhole, let next = buffer.getBytes(at: buffer.readerIndex + delimiter.count, length: 2) else {
            return .unknown
        }
        buffer.moveReaderIndex(forwardBy: delimiter.count + 2)
        switch next {
        case Array("--".utf8): return .boundary(isLast: true)
        case Array("\r\n".utf8): return .boundary(isLast: false)
        default: throw .malformed
        }
    }

    /// The position of the first delimiter, or of its possible start; `isWhole` if it is complete.
    private func delimiterOffset(in bytes: UnsafeRawBufferPointer) -> (offset: Int, isWhole: Bool) {
        guard let base = bytes.baseAddress else { return (0, false) }
        var start = 0
        while start < bytes.count, let found = memchr(base + start, Int32(delimiter[0]), bytes.count - start) {
            let offset = UnsafeRawPointer(found) - base
            let length = min(bytes.count - offset, delimiter.count)
            if memcmp(base + offset, delimiter, length) == 0 { return (offset, length == delimiter.count) }
            start = offset + 1
        }
        return (bytes.count, false)
    }

    /// Reads the header of a part, including the empty line at its end.
    private mutating func header() throws(MultipartError) -> MultipartHead? {
        let bytes = buffer.readableBytesView
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
            guard bytes.count <= Self.maxHeaderBytes else { throw .headerTooLarge }
            return nil
        }
        let length = end.upperBound - bytes.startIndex
        guard length <= Self.maxHeaderBytes else { throw .headerTooLarge }
        guard let text = String(validating: bytes[..<end.lowerBound], as: UTF8.self), FormBody.accepts(text),
            let head = MultipartHead(lines: text)
        else { throw .malformed }
        buffer.moveReaderIndex(forwardBy: length)
        return head
    }
}

/// The information about a part of a form from its header.
struct MultipartHead: Sendable, Equatable {
    /// The name of the form field.
    let field: String
    /// The file's name on the visitor's device, without its folder; nil for a text, empty if no file was chosen.
    let fileName: String?
    let mediaType: String?

    init(field: String, fileName: String? = nil, mediaType: String? = nil) {
        self.field = field
        self.fileName = fileName
        self.mediaType = mediaType
    }

    /// Parses a header; nil if it does not name a field, or contains duplicates.
    ///
    /// - Parameter text: the lines of the header.
    init?(lines text: String) {
        var values: [String: String] = [:]
        for line in text.components(separatedBy: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let name = line[..<colon].lowercased()
            guard values[name] == nil else { return nil }
            values[name] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        guard let disposition = values["content-disposition"].flatMap(HeaderParameters.init),
            disposition.value == "form-data", let field = disposition["name"]
        else { return nil }
        self.init(
            field: Self.decoded(field),
            fileName: disposition["filename"].map { String(Self.decoded($0).split { "/\\".contains($0) }.last ?? "") },
            mediaType: values["content-type"])
    }

    /// Decodes a name. Browsers escape these three characters, and no others.
    private static func decoded(_ text: String) -> String {
        text.replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
    }
}

/// The value of a header with its parameters, such as `form-data; name="email"`.
struct HeaderParameters {
    /// The value, in lower case.
    let value: String
    private let parameters: [String: String]

    /// Parses a header value; nil if it is not valid, or has a parameter twice.
    init?(_ text: String) {
        var rest = text[...]
        let value = rest.prefix { $0 != ";" }
        rest = rest.dropFirst(value.count)
        self.value = value.trimmingCharacters(in: .whitespaces).lowercased()
        var parameters: [String: String] = [:]
        while rest.first == ";" {
            rest = rest.dropFirst().drop(while: \.isWhitespace)
            if rest.isEmpty { break }
            guard let equals = rest.firstIndex(of: "=") else { return nil }
            let name = rest[..<equals].lowercased()
            rest = rest[rest.index(after: equals)...]
            guard let parameter = Self.parameter(&rest), parameters[name] == nil else { return nil }
            parameters[name] = parameter
            rest = rest.drop(while: \.isWhitespace)
        }
        guard rest.isEmpty else { return nil }
        self.parameters = parameters
    }

    /// - Parameter name: the name, in lower case.
    subscript(_ name: String) -> String? { parameters[name] }

    /// Reads a word, or a quoted text in which only quotes are escaped: browsers do not escape the backslashes in a
    /// file's name.
    private static func parameter(_ rest: inout Substring) -> String? {
        guard rest.first == "\"" else {
            let word = rest.prefix { $0 != ";" }
            rest = rest.dropFirst(word.count)
            return word.trimmingCharacters(in: .whitespaces)
        }
        rest.removeFirst()
        var text = ""
        while let character = rest.popFirst() {
            if character == "\"" { return text }
            if character == "\\", rest.first == "\"" {
                rest.removeFirst()
                text.append("\"")
            } else {
                text.append(character)
            }
        }
        return nil
    }
}
