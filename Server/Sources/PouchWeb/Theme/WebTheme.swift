import Foundation
import Mustache
import PouchMail

/// The look of all pages: templates in Mustache, the stylesheet and the scripts. Templates that end with `.txt` write
/// plain text. An owner's folder replaces files one by one.
///
///     let theme = try WebTheme(folder: folder)
///     let html = theme.render("home", values)
///
/// Files of a folder have the names of those that they replace, such as `product.mustache` or `tokens.css`; `own.css` is
/// added to the stylesheet after all others. All values are escaped as HTML. A template may not switch that off, because
/// names of products and of customers come from outside.
public struct WebTheme: Sendable {
    /// The parts of the stylesheets, in their order.
    static let styles = ["tokens.css", "components.css", "shop.css", "admin.css", "docs.css", "own.css"]
    static let scripts = ["shop.js", "admin.js", "docs.js"]
    /// The parts of the stylesheet of only some pages, by the script of these pages.
    private static let ownStyles = ["admin.css": "admin", "docs.css": "docs"]
    /// The value that is written as it is: JSON for search engines, in which `<`, `>` and `&` are escaped.
    private static let rawValue = "jsonLd"

    private let library: MustacheLibrary
    private let assets: [String: Asset]
    /// With the English texts that a language lacks.
    private let texts: [Language: [String: String]]

    /// The look that comes with the server.
    public init() throws {
        try self.init(replacing: [:])
    }

    /// - Parameter folder: the files that replace others; hidden files and folders in it are ignored.
    /// - Throws: `TemplateMistake`; the file system's error for a folder that cannot be read.
    public init(folder: URL) throws {
        let files = try TemplateFile.texts(in: folder) { name in
            Self.defaults[name] != nil || name == "own.css"
                ? nil
                : "no page uses a file of this name; “pouch-server theme new” writes all that can be replaced"
        }
        self = try TemplateFile.checking(folder) { try WebTheme(replacing: files) }
    }

    private init(replacing files: [String: String]) throws {
        let all = EmbeddedText.files.merging(files) { $1 }
        var library = MustacheLibrary()
        for (name, text) in all where Self.isTemplate(name) {
            let own = name.hasSuffix(".mustache") ? String(name.dropLast(".mustache".count)) : name
            library.register(try TemplateFile(name: name, text: text).parsed(), named: own)
        }
        self.library = library
        let english = try Self.texts(of: .english, in: all)
        var texts: [Language: [String: String]] = [:]
        for language in Language.allCases {
            texts[language] = english.merging(try Self.texts(of: language, in: all)) { $1 }
        }
        self.texts = texts
        var assets: [String: Asset] = [:]
        for script in Self.scripts {
            let name = String(script.dropLast(3))
            assets[name] = Asset(
                all[script] ?? "", name: name, mediaType: "text/javascript; charset=utf-8", ending: "js")
            let parts = Self.styles.filter { (Self.ownStyles[$0] ?? name) == name }
            assets[name + "-style"] = Asset(
                parts.compactMap { all[$0] }.joined(separator: "\n"), name: name,
                mediaType: "text/css; charset=utf-8", ending: "css")
        }
        assets["icon"] = Asset(all["icon.svg"] ?? "", name: "icon", mediaType: "image/svg+xml", ending: "svg")
        self.assets = assets
        try ThemeCheck(files: all, texts: english).check(files.keys.sorted())
    }

    /// The files that can be replaced, by their names.
    public static var defaults: [String: String] {
        EmbeddedText.files.filter { name, _ in
            isTemplate(name) || styles.contains(name) || scripts.contains(name) || name == "icon.svg"
                || Language.allCases.contains { name == $0.fileName }
        }
    }

    static func isTemplate(_ name: String) -> Bool { name.hasSuffix(".mustache") || name.hasSuffix(".txt") }

    private static func texts(of language: Language, in files: [String: String]) throws -> [String: String] {
        do {
            return try JSONDecoder().decode(
                [String: String].self, from: Data((files[language.fileName] ?? "{}").utf8))
        } catch {
            throw TemplateMistake(file: language.fileName, problem: "must be a JSON object with string values")
        }
    }

    // MARK: Rendering

    /// - Parameter values: texts, numbers, booleans, dictionaries with names, and lists of them.
    func render(_ template: String, _ values: PageValues) -> String {
        library.render(PageScope(values: values), withTemplate: template) ?? ""
    }

    /// The texts of a language by their keys; those that it lacks are in English.
    func texts(_ language: Language) -> [String: String] { texts[language] ?? [:] }

    /// The address of a script, such as `shop`, of the stylesheet of its pages, such as `shop-style`, or of the `icon`.
    func path(_ asset: String) -> String { assets[asset]?.path ?? "" }

    /// The asset with a path; nil for another one, such as that of an earlier version.
    func asset(path: String) -> Asset? { assets.values.first { $0.path == path } }
}

/// The values that a template names: texts, numbers, booleans, dictionaries and lists.
typealias PageValues = [String: any Sendable]

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
