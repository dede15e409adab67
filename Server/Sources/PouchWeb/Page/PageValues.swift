import Mustache

/// A value that a template can use: a text, a number, a flag, a struct of such values, or a list of them.
protocol TemplateValue: Sendable, Decodable {
    /// The value in the form that the template library expects.
    var forTemplate: Any { get }
}

/// The values of a part of a page. A template refers to each value by the name of its property; nil renders as
/// nothing.
///
///     struct CategoryLink: PageValues {
///         let name, url: String
///         let isCurrent: Bool
///     }
///
/// Values are never decoded: `Decodable` lets `ValueNames` find the names without an instance.
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

/// The values of a page, or of a part of it, during rendering.
///
/// The template library checks each value for the protocols that it knows, and mirrors structs. For a struct or a
/// standard-library string, that takes most of the rendering time; these types respond immediately.
struct PageScope: MustacheParent, MustacheTransformable {
    private var values: [String: Any] = [:]

    init(_ values: any PageValues) {
        self.init([values])
    }

    /// - Parameter layers: later values replace earlier ones.
    init(_ layers: [any PageValues]) {
        for layer in layers {
            for case (let name?, let value) in Mirror(reflecting: layer).children {
                if let value = value as? any TemplateValue { values[name] = value.forTemplate }
            }
        }
    }

    /// The scope with the texts of the visitor's language, which templates use as `t`.
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

/// A value that renders as nothing, and stops the library from searching the enclosing scopes for the name.
private struct NoValue: MustacheParent, MustacheCustomRenderable {
    var renderText: String { "" }
    var isNull: Bool { true }

    func child(named name: String) -> Any? { nil }
}
