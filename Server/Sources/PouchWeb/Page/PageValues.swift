import Mustache

/// What a template can name: a text, a number, a flag, a struct of such values, or a list of them.
protocol TemplateValue: Sendable, Decodable {
    /// The value as the library that renders templates takes it.
    var forTemplate: Any { get }
}

/// The values of a part of a page. A template names each as the property is named; an optional without a value shows
/// nothing.
///
///     struct CategoryLink: PageValues {
///         let name, url: String
///         let isCurrent: Bool
///     }
///
/// Nothing is decoded: `Decodable` lets `ValueNames` find the names without an instance.
protocol PageValues: TemplateValue {}

extension PageValues {
    var forTemplate: Any { PageScope(self) }
}

/// The values of a page. `PageModels.all` lists every type.
protocol PageModel: PageValues {
    /// The name of the template's file, without `.mustache`.
    static var template: String { get }
}

extension Bool: TemplateValue {
    var forTemplate: Any { self }
}

extension Int: TemplateValue {
    var forTemplate: Any { self }
}

extension String: TemplateValue {
    var forTemplate: Any { PageText(self) }
}

extension Optional: TemplateValue where Wrapped: TemplateValue {
    var forTemplate: Any { map(\.forTemplate) ?? NoValue() }
}

extension Array: TemplateValue where Element: TemplateValue {
    var forTemplate: Any { map(\.forTemplate) }
}

// MARK: While a page is rendered

/// The values of a page, or of a part of it, while it is rendered.
///
/// The library asks each value in turn for the protocols that it knows, and a struct for a mirror of it. For a struct or
/// a text of the standard library that takes most of the rendering; these types answer at once.
struct PageScope: MustacheParent, MustacheTransformable {
    private var values: [String: Any] = [:]

    init(_ values: any PageValues) {
        self.init([values])
    }

    /// - Parameter layers: the values of a later one replace those of an earlier one.
    init(_ layers: [any PageValues]) {
        for layer in layers {
            for case (let name?, let value) in Mirror(reflecting: layer).children {
                if let value = value as? any TemplateValue { values[name] = value.forTemplate }
            }
        }
    }

    /// The scope with the texts of the visitor's language, which templates name as `t`.
    func with(_ texts: PageTexts) -> PageScope {
        var scope = self
        scope.values["t"] = texts
        return scope
    }

    func child(named name: String) -> Any? { values[name] }

    func transform(_ name: String) -> Any? { values.transform(name) }
}

/// The texts of a language, by their keys.
struct PageTexts: MustacheParent, Sendable {
    let texts: [String: String]

    func child(named name: String) -> Any? { texts[name].map(PageText.init) }
}

private struct PageText: MustacheParent, MustacheCustomRenderable, MustacheTransformable {
    let renderText: String
    var isNull: Bool { false }

    init(_ text: String) {
        renderText = text
    }

    func child(named name: String) -> Any? { nil }

    func transform(_ name: String) -> Any? { renderText.transform(name) }
}

/// Shows nothing, and keeps the library from looking for the name in the scopes around.
private struct NoValue: MustacheParent, MustacheCustomRenderable {
    var renderText: String { "" }
    var isNull: Bool { true }

    func child(named name: String) -> Any? { nil }
}
