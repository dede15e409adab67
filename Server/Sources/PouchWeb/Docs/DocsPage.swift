/// A page of the API documentation: its address, its template and the values of the template's names.
///
/// A template also needs `style`, `docsScript` and `icon`, the addresses of the stylesheet, the script and the icon.
public struct DocsPage: Sendable {
    /// Such as `/docs/cart`.
    public let path: String
    public let template: String
    public let title: String
    /// Texts, whole numbers, booleans, and lists and dictionaries of them.
    public let values: [String: any Sendable]

    public func html(with theme: WebTheme) -> String {
        let assets: PageValues = [
            "style": theme.path("docs-style"), "docsScript": theme.path("docs"), "icon": theme.path("icon"),
        ]
        return theme.render(template, values.merging(assets) { own, _ in own })
    }
}
