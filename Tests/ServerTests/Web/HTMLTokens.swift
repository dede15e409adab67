import Foundation

/// A tag of an HTML page with its attributes, or the text between two tags.
enum HTMLToken: Sendable {
    case opening(name: String, attributes: [String: String])
    case closing(name: String)
    /// With its entities decoded.
    case text(String)

    /// The tokens of a page, read as tolerantly as a browser reads them. Comments and the document type are left out.
    static func all(of html: String) -> [HTMLToken] {
        var tokens: [HTMLToken] = []
        var rest = html[...]
        while let start = rest.firstIndex(of: "<") {
            tokens.appendText(rest[..<start])
            rest = rest[start...]
            if rest.hasPrefix("<!--") {
                rest = rest.dropFirst(4).firstRange(of: "-->").map { rest[$0.upperBound...] } ?? ""
            } else if rest.hasPrefix("<!") {
                rest = rest.drop { $0 != ">" }.dropFirst()
            } else if rest.hasPrefix("</") {
                tokens.append(.closing(name: rest.dropFirst(2).prefix { $0 != ">" }.trimmed.lowercased()))
                rest = rest.drop { $0 != ">" }.dropFirst()
            } else {
                rest = rest.dropFirst()
                let name = rest.prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }.lowercased()
                rest = rest.dropFirst(name.count)
                tokens.append(.opening(name: name, attributes: attributes(in: &rest)))
                // The content of these elements is not HTML.
                if ["script", "style"].contains(name) {
                    rest = rest.firstRange(of: "</\(name)").map { rest[$0.lowerBound...] } ?? ""
                }
            }
        }
        tokens.appendText(rest)
        return tokens
    }

    /// Reads up to the end of the tag.
    private static func attributes(in rest: inout Substring) -> [String: String] {
        var attributes: [String: String] = [:]
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "/" }
            guard let first = rest.first, first != ">" else { break }
            let name = rest.prefix { !$0.isWhitespace && !"=>/".contains($0) }
            guard !name.isEmpty else {
                rest = rest.dropFirst()
                continue
            }
            rest = rest.dropFirst(name.count).drop(while: \.isWhitespace)
            var value: Substring = ""
            if rest.first == "=" {
                rest = rest.dropFirst().drop(while: \.isWhitespace)
                if let quote = rest.first, quote == "\"" || quote == "'" {
                    value = rest.dropFirst().prefix { $0 != quote }
                    rest = rest.dropFirst(value.count + 2)
                } else {
                    value = rest.prefix { !$0.isWhitespace && $0 != ">" }
                    rest = rest.dropFirst(value.count)
                }
            }
            if attributes[name.lowercased()] == nil { attributes[name.lowercased()] = decoded(value) }
        }
        rest = rest.dropFirst()
        return attributes
    }

    private static let entities = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{a0}", "euro": "€", "ndash": "–",
        "mdash": "—", "hellip": "…", "middot": "·", "times": "×", "minus": "−",
    ]

    static func decoded(_ text: Substring) -> String {
        guard text.contains("&") else { return String(text) }
        var result = ""
        var rest = text
        while let start = rest.firstIndex(of: "&") {
            result += rest[..<start]
            rest = rest[start...]
            let name = rest.dropFirst().prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "#") }
            let after = rest.dropFirst(1 + name.count)
            if after.first == ";", let character = character(name) {
                result += character
                rest = after.dropFirst()
            } else {
                result += "&"
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }

    private static func character(_ name: Substring) -> String? {
        guard name.hasPrefix("#") else { return entities[String(name)] }
        let digits = name.dropFirst()
        let number = digits.lowercased().hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
    }
}

extension [HTMLToken] {
    fileprivate mutating func appendText(_ text: Substring) {
        if !text.isEmpty { append(.text(HTMLToken.decoded(text))) }
    }

    /// The texts in order, with one space for each run of white space.
    var words: String {
        let parts = map { token in
            if case .text(let text) = token { text } else { " " }
        }
        return parts.joined().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}

extension Substring {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
