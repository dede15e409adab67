import Foundation

extension NetworkResponse {
    /// The body as text, in the encoding that the response states. Never fails: bytes that are not valid in that
    /// encoding are read in the next one of this list.
    ///
    /// 1. UTF-8, UTF-16 or UTF-32, if the body starts with a byte order mark, which is omitted;
    /// 2. the `charset` of `Content-Type`, for the names below. As in browsers (WHATWG Encoding), `iso-8859-1` and
    ///    `us-ascii` mean Windows-1252, which has the same letters and more;
    /// 3. UTF-8;
    /// 4. Windows-1252, and Latin-1 for its five undefined bytes.
    ///
    /// The names are those of UTF-8, UTF-16, UTF-32, ISO-8859-1, ISO-8859-2, Windows-1250 to 1254, Shift JIS, EUC-JP,
    /// ISO-2022-JP and Mac OS Roman. Any other name is ignored.
    public var text: String {
        for (mark, encoding) in Self.marks where data.starts(with: mark) {
            if let text = String(data: data.dropFirst(mark.count), encoding: encoding) { return text }
        }
        let encodings = [statedEncoding, .utf8, .windowsCP1252, .isoLatin1].compactMap(\.self)
        return encodings.lazy.compactMap { String(data: data, encoding: $0) }.first ?? ""
    }

    /// The response with its body in UTF-8, if it starts with a mark of UTF-16 or UTF-32 or states another encoding;
    /// otherwise the same response. A body without a stated encoding is not changed: JSON is UTF-8 (RFC 8259, section
    /// 8.1), and one invalid byte must not change how the rest is read.
    package func inUTF8() -> NetworkResponse {
        let isMarked = Self.marks.dropFirst().contains { data.starts(with: $0.mark) }
        guard isMarked || statedEncoding.map({ $0 != .utf8 }) ?? false else { return self }
        var headers = headers
        headers["Content-Type"] = (mediaType ?? "text/plain") + "; charset=utf-8"
        headers["Content-Length"] = nil
        return NetworkResponse(status: status, headers: headers, data: Data(text.utf8))
    }

    private static let marks: [(mark: [UInt8], encoding: String.Encoding)] = [
        ([0xEF, 0xBB, 0xBF], .utf8),
        // Before UTF-16, whose mark is the start of this one.
        ([0xFF, 0xFE, 0, 0], .utf32LittleEndian), ([0, 0, 0xFE, 0xFF], .utf32BigEndian),
        ([0xFE, 0xFF], .utf16BigEndian), ([0xFF, 0xFE], .utf16LittleEndian),
    ]

    private static let encodings: [String: String.Encoding] = [
        "utf-8": .utf8, "utf8": .utf8,
        "utf-16": .utf16LittleEndian, "utf-16le": .utf16LittleEndian, "utf-16be": .utf16BigEndian,
        "utf-32": .utf32, "utf-32le": .utf32LittleEndian, "utf-32be": .utf32BigEndian,
        "us-ascii": .windowsCP1252, "ascii": .windowsCP1252, "iso-8859-1": .windowsCP1252, "latin1": .windowsCP1252,
        "windows-1252": .windowsCP1252, "cp1252": .windowsCP1252,
        "iso-8859-2": .isoLatin2, "latin2": .isoLatin2,
        "windows-1250": .windowsCP1250, "windows-1251": .windowsCP1251, "windows-1253": .windowsCP1253,
        "windows-1254": .windowsCP1254,
        "shift_jis": .shiftJIS, "euc-jp": .japaneseEUC, "iso-2022-jp": .iso2022JP, "macintosh": .macOSRoman,
    ]

    private var statedEncoding: String.Encoding? {
        let parameters = headers["Content-Type"]?.split(separator: ";").dropFirst() ?? []
        let values = parameters.compactMap { parameter -> Substring? in
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces).lowercased() == "charset" else {
                return nil
            }
            return parts[1]
        }
        let name = values.first?.trimmingCharacters(in: CharacterSet(charactersIn: " \t\"'")).lowercased()
        return name.flatMap { Self.encodings[$0] }
    }

    private var mediaType: String? {
        headers["Content-Type"]?.split(separator: ";").first.map { $0.trimmingCharacters(in: .whitespaces) }
    }
}
