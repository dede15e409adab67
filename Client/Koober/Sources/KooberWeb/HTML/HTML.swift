/// HTML in which external text remains text: it can only be inserted escaped, and names of elements and attributes are
/// literals of the program.
///
/// A page is a function of a `KooberScreen`. Swift checks such a function: a screen without a page does not compile. In
/// templates of swift-mustache, a misspelled name would render as nothing, and three braces instead of two would let
/// markup through.
struct HTML: Sendable, Equatable {
    /// Without line breaks, so that it fits into one line of an event.
    let source: String

    fileprivate init(source: String) {
        self.source = source
    }

    static let empty = HTML(source: "")

    init(text: String) {
        source = text.escaped
    }
}

/// The attributes of an element. Those without a value are omitted.
typealias Attributes = KeyValuePairs<StaticString, String?>

/// An element with content.
func tag(_ name: StaticString, _ attributes: Attributes = [:], @HTMLBuilder content: () -> HTML) -> HTML {
    HTML(source: "<\(name)\(written(attributes))>\(content().source)</\(name)>")
}

func tag(_ name: StaticString, _ attributes: Attributes = [:], _ text: String) -> HTML {
    tag(name, attributes) { HTML(text: text) }
}

func tag(_ name: StaticString, _ text: String) -> HTML {
    tag(name, [:], text)
}

/// An element that has no end tag, such as `input`.
func void(_ name: StaticString, _ attributes: Attributes) -> HTML {
    HTML(source: "<\(name)\(written(attributes))>")
}

/// A whole document, which the doctype makes a standard one.
func document(_ html: HTML) -> HTML {
    HTML(source: "<!doctype html>" + html.source)
}

private func written(_ attributes: Attributes) -> String {
    attributes.map { name, value in value.map { " \(name)=\"\($0.escaped)\"" } ?? "" }.joined()
}

extension String {
    /// Safe as text and as the value of an attribute. Characters that HTML does not have are replaced.
    fileprivate var escaped: String {
        var result = ""
        result.reserveCapacity(utf8.count)
        for scalar in unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\n", "\r", "\t": result += "&#\(scalar.value);"
            case "\0"..."\u{1F}", "\u{7F}"..."\u{9F}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

/// Puts elements and texts one after the other.
@resultBuilder
enum HTMLBuilder {
    static func buildExpression(_ html: HTML) -> HTML { html }
    static func buildExpression(_ text: String) -> HTML { HTML(text: text) }
    static func buildBlock(_ parts: HTML...) -> HTML { HTML(source: parts.map(\.source).joined()) }
    static func buildOptional(_ html: HTML?) -> HTML { html ?? .empty }
    static func buildEither(first html: HTML) -> HTML { html }
    static func buildEither(second html: HTML) -> HTML { html }
    static func buildArray(_ parts: [HTML]) -> HTML { HTML(source: parts.map(\.source).joined()) }
}
