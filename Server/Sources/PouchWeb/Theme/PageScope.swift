import Mustache

/// The values of a page while it is rendered.
///
/// The library asks each value in turn for the protocols that it knows. For a dictionary or a text of the standard library
/// that takes most of the rendering; these types answer at once.
struct PageScope: MustacheParent, MustacheTransformable {
    let values: PageValues

    func child(named name: String) -> Any? { values[name].map(Self.value) }

    func transform(_ name: String) -> Any? { values.transform(name) }

    private static func value(_ value: any Sendable) -> Any {
        if let text = value as? String { return PageText(text) }
        if let flag = value as? Bool { return flag }
        if let texts = value as? PageTexts { return texts }
        if let values = value as? PageValues { return PageScope(values: values) }
        if let list = value as? [PageValues] { return list.map(PageScope.init) }
        return value
    }
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
