/// A page of the interface documentation: its address, its template and the values of the template's names.
///
/// A template also needs `style` and `docsScript`, the addresses of the stylesheet and of the script.
public struct DocsPage: Sendable {
    /// Such as `/docs/cart`.
    public let path: String
    public let template: String
    public let title: String
    let content: [String: DocsValue]

    /// Texts, whole numbers, booleans, and lists and dictionaries of them.
    public var values: [String: Any] { content.mapValues(\.any) }
}

/// A value for a template. Unlike `Any` it can be shared between tasks.
enum DocsValue: Sendable {
    case text(String)
    case number(Int)
    case flag(Bool)
    case list([DocsValue])
    case object([String: DocsValue])

    var any: Any {
        switch self {
        case .text(let text): text
        case .number(let number): number
        case .flag(let flag): flag
        case .list(let values): values.map(\.any)
        case .object(let members): members.mapValues(\.any)
        }
    }

    static func list(_ members: [[String: DocsValue]]) -> DocsValue { .list(members.map(DocsValue.object)) }
}

extension DocsValue: ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral, ExpressibleByDictionaryLiteral {
    init(stringLiteral value: String) { self = .text(value) }
    init(booleanLiteral value: Bool) { self = .flag(value) }
    init(dictionaryLiteral elements: (String, DocsValue)...) {
        self = .object(Dictionary(elements) { _, last in last })
    }
}
