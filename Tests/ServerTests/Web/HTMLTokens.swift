import Foundation

/// A tag of an HTML page with its attributes, or the text between two tags.
enum HTMLToken: Sendable {
    case opening(name: String, attributes: [String: String])
    case closing(name: String)
    /// The text with its entities decoded.
    case text(String)

    /// The tokens of a page, read as tolerantly as a browser reads them, without comments and the document type. They
    /// are read scalar by scalar: to Swift, a quote with an accent is another character than a quote.
    static func all(of html: String) -> [HTMLToken] {
        var tokens: [HTMLToken] = []
        var rest = Substring(html).unicodeScalars
        while let start = rest.firstIndex(of: "<") {
            tokens.appendText(rest[..<start])
            rest = rest[start...].dropFirst()
            if rest.starts(with: "!--".unicodeScalars) {
                rest = rest.after("-->")
            } else if rest.first == "!" {
                rest = rest.after(">")
            } else if rest.first == "/" {
                let name = String(rest.dropFirst().prefix { $0 != ">" })
                tokens.append(.closing(name: name.trimmingCharacters(in: .whitespacesAndNewlines).lowercased()))
                rest = rest.after(">")
            } else if rest.first.map({ $0.isASCII && $0.properties.isAlphabetic }) == true {
                let name = String(rest.prefix { !$0.isSpace && $0 != ">" && $0 != "/" }).lowercased()
                rest = rest.drop { !$0.isSpace && $0 != ">" && $0 != "/" }
                tokens.append(.opening(name: name, attributes: attributes(in: &rest)))
                // The content of these elements is not HTML.
                if ["script", "style"].contains(name) {
                    let end = rest.firstRange(of: "</\(name)".unicodeScalars)?.lowerBound
                    rest = rest[(end ?? rest.endIndex)...]
                }
            } else {
                tokens.append(.text("<"))
            }
        }
        tokens.appendText(rest)
        return tokens
    }

    /// Reads up to the end of the tag.
    private static func attributes(in rest: inout Substring.UnicodeScalarView) -> [String: String] {
        var attributes: [String: String] = [:]
        while true {
            rest = rest.drop { $0.isSpace || $0 == "/" }
            guard let first = rest.first, first != ">" else { break }
            let name = rest.prefix { !$0.isSpace && $0 != "=" && $0 != ">" && $0 != "/" }
            guard !name.isEmpty else {
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst(name.count).drop(while: \.isSpace)
            var value = rest.prefix(0)
            if rest.first == "=" {
                rest = rest.dropFirst().drop(while: \.isSpace)
                if let quote = rest.first, quote == "\"" || quote == "'" {
                    value = rest.dropFirst().prefix { $0 != quote }
                    rest = rest.dropFirst(value.count + 2)
                } else {
                    value = rest.prefix { !$0.isSpace && $0 != ">" }
                    rest = rest.dropFirst(value.count)
                }
            }
            let key = String(name).lowercased()
            attributes[key] = attributes[key] ?? value.decoded
        }
        rest = rest.dropFirst()
        return attributes
    }

    fileprivate static let entities: [String: Unicode.Scalar] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{a0}", "euro": "€", "ndash": "–",
        "mdash": "—", "hellip": "…", "middot": "·", "times": "×", "minus": "−",
    ]
}

extension [HTMLToken] {
    fileprivate mutating func appendText(_ text: Substring.UnicodeScalarView) {
        if !text.isEmpty { append(.text(text.decoded)) }
    }

    /// The texts in order, with one space for each run of white space.
    var words: String {
        let parts = map { token in
            if case .text(let text) = token { text } else { " " }
        }
        return parts.joined().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

extension Unicode.Scalar {
    fileprivate var isSpace: Bool { " \t\n\r\u{c}".unicodeScalars.contains(self) }
}

extension Substring.UnicodeScalarView {
    /// The scalars after a text; empty without it.
    fileprivate func after(_ end: String) -> Self {
        firstRange(of: end.unicodeScalars).map { self[$0.upperBound...] } ?? suffix(0)
    }

    /// The text with its entities decoded.
    fileprivate var decoded: String {
        var (result, rest) = (String.UnicodeScalarView(), self)
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            rest = rest[start...].dropFirst()
            let name = rest.prefix { $0.isASCII && (CharacterSet.alphanumerics.contains($0) || $0 == "#") }
            let after = rest.dropFirst(name.count)
            if after.first == ";", let scalar = Self.scalar(String(name)) {
                result.append(scalar)
                rest = after.dropFirst()
            } else {
                result.append("&")
            }
        }
        return String(result + rest)
    }

    /// The scalar that an entity stands for.
    private static func scalar(_ name: String) -> Unicode.Scalar? {
        guard name.hasPrefix("#") else { return HTMLToken.entities[name] }
        let digits = name.dropFirst()
        let number = digits.lowercased().hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init)
    }
}
