import Mustache

/// A value that a template can use: a text, a number, a flag, a struct of such values, or a list of them.
package protocol TemplateValue: Sendable, Decodable {
    /// The value in the form that the template library expects.
    var forTemplate: Any { get }
}

/// The values of a template, or of a part of it. A template refers to each value by the name of its property; nil
/// renders as nothing. For a list `orders`, `hasOrders` tells whether it has elements.
///
///     struct CategoryLink: TemplateValues {
///         let name, url: String
///         let isCurrent: Bool
///     }
///
/// Values are never decoded: `Decodable` lets `ValueNames` find the names without an instance.
package protocol TemplateValues: TemplateValue {}

extension TemplateValues {
    package var forTemplate: Any { TemplateScope(self) }
}

extension Bool: TemplateValue {
    package var forTemplate: Any { self }
}

extension Int: TemplateValue {
    package var forTemplate: Any { self }
}

extension String: TemplateValue {
    package var forTemplate: Any { TemplateText(self) }
}

extension Optional: TemplateValue where Wrapped: TemplateValue {
    package var forTemplate: Any { map(\.forTemplate) ?? NoValue() }
}

extension Array: TemplateValue where Element: TemplateValue {
    package var forTemplate: Any { map(\.forTemplate) }
}

// MARK: While a template is rendered

/// The values of a template, or of a part of it, during rendering.
///
/// The template library checks each value for the protocols that it knows, and mirrors structs. For a struct or a
/// standard-library string, that takes most of the rendering time; these types respond immediately.
package struct TemplateScope: MustacheParent, MustacheTransformable {
    private var values: [String: Any] = [:]

    package init(_ values: any TemplateValues) {
        self.init([values])
    }

    /// - Parameter layers: later values replace earlier ones.
    package init(_ layers: [any TemplateValues]) {
        for layer in layers {
            for case (let name?, let value) in Mirror(reflecting: layer).children {
                if let value = value as? any TemplateValue { values[name] = value.forTemplate }
            }
        }
    }

    /// The scope with one more value.
    ///
    /// - Parameter value: a value in the form that the template library expects.
    package func adding(_ value: Any, named name: String) -> TemplateScope {
        var scope = self
        scope.values[name] = value
        return scope
    }

    package func child(named name: String) -> Any? { values[name] ?? flag(named: name) }

    /// Whether a list has elements, for the name `hasOrders` of the list `orders`; nil for any other name.
    private func flag(named name: String) -> Any? {
        guard name.hasPrefix("has"), name.utf8.count > 3,
            let list = values[name.dropFirst(3).prefix(1).lowercased() + name.dropFirst(4)] as? [Any]
        else { return nil }
        return !list.isEmpty
    }

    package func transform(_ name: String) -> Any? { values.transform(name) }
}

private struct TemplateText: MustacheParent, MustacheCustomRenderable, MustacheTransformable {
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
