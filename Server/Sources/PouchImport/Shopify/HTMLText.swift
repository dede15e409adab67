import Foundation
import PouchDomain
import PouchFeed

/// The plain text of a piece of HTML: blocks and breaks become lines, list items bullets; scripts and styles are
/// dropped, and so is everything else between angle brackets.
struct HTMLText {
    private var rest: Substring.UnicodeScalarView
    private var output = ""

    /// HTML without any tag keeps its line breaks, since that is a plain text that somebody typed.
    static func plain(_ html: String) -> String {
        guard html.utf8.contains(where: { $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "&") }) else {
            return html.tidyLines
        }
        var text = HTMLText(rest: html[...].unicodeScalars)
        text.read()
        return text.output.tidyLines
    }

    private init(rest: Substring.UnicodeScalarView) {
        self.rest = rest
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

    /// Up to the tag's end, which is not within a quoted attribute.
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
