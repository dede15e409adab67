/// A page of the API documentation: its address, its template and the values of the template's names.
///
/// A template also needs `style`, `docsScript` and `icon`, the addresses of the stylesheet, the script and the icon.
public struct DocsPage: Sendable {
    /// Such as `/docs/cart`.
    public let path: String
    public let template: String
    public let title: String
    let content: [String: DocsValue]

    /// Texts, whole numbers, booleans, and lists and dictionaries of them.
    public var values: [String: any Sendable] { content.mapValues(\.value) }
}

extension DocsPage {
    public func html(with theme: WebTheme) -> String {
        let assets: [String: any Sendable] = [
            "style": theme.path("docs-style"), "docsScript": theme.path("docs"), "icon": theme.path("icon"),
        ]
        return theme.render(template, values.merging(assets) { own, _ in own })
    }
}

/// A value for a template.
enum DocsValue: Sendable {
    case text(String)
    case number(Int)
    case flag(Bool)
    case list([DocsValue])
    case object([String: DocsValue])

    /// The value as templates take it.
    var value: any Sendable {
        switch self {
        case .text(let text): text
        case .number(let number): number
        case .flag(let flag): flag
        case .list(let values): values.map(\.value)
        case .object(let members): members.mapValues(\.value)
        }
    }

    /// A list of dictionaries.
    static func items(_ items: [[String: DocsValue]]) -> DocsValue { .list(items.map(DocsValue.object)) }
}
