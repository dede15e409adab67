import Foundation
import PouchEntities

/// Converts HTML to plain text: blocks and breaks become lines, list items become bullets; scripts, styles and all
/// other tags are dropped.
struct HTMLText {
    private var rest: Substring.UnicodeScalarView
    private var output = ""

    /// HTML without any tag keeps its line breaks, since it was typed as plain text.
    static func plain(_ html: String) -> String {
        guard html.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
            return html.tidyLines
        }
        var text = HTMLText(rest: html[...].unicodeScalars)
        text.read()
        return text.output.tidyLines
    }

    /// Whether the conversion loses more than paragraphs and lists.
    static func hasFormats(_ html: String) -> Bool {
        let plain: Set<Substring> = ["p", "br", "div", "span", "meta", "ul", "ol", "li"]
        return html.split(separator: "<", omittingEmptySubsequences: false).dropFirst().contains { part in
            let name = part.prefix { $0.isASCII && $0.isLetter }
            return !name.isEmpty && !plain.contains(Substring(name.lowercased()))
        }
    }

    private mutating func read() {
        let keepsLines = !rest.indices.contains { rest[$0] == "<" && Self.opensTag(rest[$0...]) }
        while let scalar = rest.first {
            switch scalar {
            case "<" where Self.opensTag(rest):
                readTag()
            case "&":
                readEntity()
            case "\n" where !keepsLines, "\r" where !keepsLines:
                output += " "
                rest.removeFirst()
            default:
                output.unicodeScalars.append(scalar)
                rest.removeFirst()
            }
        }
    }

    private static func opensTag(_ text: Substring.UnicodeScalarView) -> Bool {
        text.dropFirst().first.map { $0.isASCII && $0.properties.isAlphabetic || "/!?".unicodeScalars.contains($0) }
            ?? false
    }

    private mutating func readEntity() {
        let reference = Substring(rest.dropFirst().prefix(10).prefix { $0 != ";" })
        if rest.dropFirst(reference.unicodeScalars.count + 1).first == ";", let text = HTMLEntity.text(reference) {
            output += text
            rest.removeFirst(reference.unicodeScalars.count + 2)
        } else {
            output += "&"
            rest.removeFirst()
        }
    }

    private mutating func readTag() {
        if Substring(rest.prefix(4)) == "<!--" {
            skip(through: "-->")
            return
        }
        rest.removeFirst()
        let isClosing = rest.first == "/"
        if isClosing { rest.removeFirst() }
        let name = String(Substring(rest.prefix { $0.properties.isAlphabetic || ("0"..."9").contains($0) }))
            .lowercased()
        skipAttributes()
        switch name {
        case "script", "style", "template", "noscript":
            if !isClosing { skip(through: "</\(name)") }
            if !isClosing { skipAttributes() }
        case "br":
            output += "\n"
        case "div", "ul", "ol", "tr", "table", "section", "article", "blockquote", "dl", "dt", "dd", "hr":
            endLine()
        case "p", "h1", "h2", "h3", "h4", "h5", "h6":
            endLine()
            output += "\n"
        case "li":
            endLine()
            if !isClosing { output += "• " }
        case "td", "th":
            output += " "
        default:
            break
        }
    }

    private mutating func endLine() {
        while output.last == " " { output.removeLast() }
        if output.last != "\n" { output += "\n" }
    }

    /// Skips to the end of the tag, past quoted attributes.
    private mutating func skipAttributes() {
        var quote: Unicode.Scalar?
        while let scalar = rest.popFirst() {
            if let open = quote {
                if scalar == open { quote = nil }
            } else if scalar == "\"" || scalar == "'" {
                quote = scalar
            } else if scalar == ">" {
                return
            }
        }
    }

    private mutating func skip(through end: String) {
        let text = Substring(rest)
        rest =
            text.range(of: end, options: .caseInsensitive).map { text[$0.upperBound...].unicodeScalars }
            ?? text[text.endIndex...].unicodeScalars
    }
}

/// The character references of HTML that are common in shop texts; others stay unchanged.
enum HTMLEntity {
    /// The text of a reference without `&` and `;`; nil when it is unknown.
    static func text(_ reference: some StringProtocol) -> String? {
        guard reference.hasPrefix("#") else {
            return named[String(reference)].map { String($0) }
        }
        let number = reference.dropFirst()
        let code = number.first == "x" || number.first == "X" ? UInt32(number.dropFirst(), radix: 16) : UInt32(number)
        return code.flatMap(Unicode.Scalar.init).map { String($0) }
    }

    private static let named: [String: Unicode.Scalar] = {
        var names: [String: Unicode.Scalar] = [
            "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'",
            "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "sbquo": "‚", "ldquo": "“", "rdquo": "”",
            "bdquo": "„", "lsaquo": "‹", "rsaquo": "›", "bull": "•", "hellip": "…", "prime": "′", "Prime": "″",
            "trade": "™", "euro": "€", "OElig": "Œ", "oelig": "œ", "Scaron": "Š", "scaron": "š", "Yuml": "Ÿ",
            "larr": "←", "rarr": "→", "hearts": "♥", "minus": "−", "le": "≤", "ge": "≥", "ne": "≠", "asymp": "≈",
            "ensp": " ", "emsp": " ", "thinsp": " ", "zwnj": "\u{200C}", "zwj": "\u{200D}",
        ]
        for (offset, name) in latin1.split(separator: " ").enumerated() {
            names[String(name)] = Unicode.Scalar(UInt8(160 + offset))
        }
        return names
    }()

    /// The names of the code points 160...255, in order.
    private static let latin1 = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute \
        micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring \
        AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml \
        times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil \
        egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash \
        ugrave uacute ucirc uuml yacute thorn yuml
        """
}
