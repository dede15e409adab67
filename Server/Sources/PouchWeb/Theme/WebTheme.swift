import Foundation
import Mustache
import PouchTemplates

/// The look of all pages: Mustache templates, the stylesheet and the scripts. Templates that end with `.txt` produce
/// plain text. An owner's folder can replace individual files.
///
///     let theme = try WebTheme(folder: folder)
///     let html = theme.render("home", TemplateScope(values))
///
/// Files in the folder have the names of those that they replace, such as `product.mustache` or `tokens.css`; `own.css`
/// is added at the end of the stylesheet. All values are escaped as HTML. A template may not turn that off, because the
/// names of products and customers come from outside.
public struct WebTheme: Sendable {
    /// The parts of the stylesheets, in order.
    static let styles = ["tokens.css", "components.css", "shop.css", "admin.css", "docs.css", "own.css"]
    static let scripts = ["shop.js", "admin.js", "docs.js"]
    /// The parts that only some pages use, with the script of those pages.
    private static let ownStyles = ["admin.css": "admin", "docs.css": "docs"]
    /// The partial with a form's errors. They link to inputs of the page, so the partial is rendered after the page.
    private static let errors = "form-errors"
    static let errorList = "form-errors-list"

    private let library: MustacheLibrary
    private let assets: [String: Asset]
    /// The texts of each language; missing ones are in English.
    private let texts: [Language: [String: String]]

    /// Creates the default theme.
    public init() throws {
        try self.init(replacing: [:])
    }

    /// Creates the theme with the files that a folder replaces.
    ///
    /// - Parameter folder: the folder with the owner's files; hidden files and subfolders are ignored.
    /// - Throws: `TemplateMistake`; the file system's error for a folder that cannot be read.
    public init(folder: URL) throws {
        let files = try TemplateFile.texts(in: folder) { name in
            Self.defaults[name] != nil || name == "own.css"
                ? nil
                : "no page uses a file of this name; “pouch-server theme new” writes all files that can be replaced"
        }
        self = try TemplateFile.checking(folder) { try WebTheme(replacing: files) }
    }

    private init(replacing files: [String: String]) throws {
        let all = EmbeddedText.files.merging(files) { $1 }
        var library = MustacheLibrary()
        for (name, text) in all where Self.isTemplate(name) {
            let own = name.hasSuffix(".mustache") ? String(name.dropLast(".mustache".count)) : name
            library.register(
                try TemplateFile(name: name, text: text).parsed(), named: own == Self.errors ? Self.errorList : own)
        }
        let place = TemplateFile(name: Self.errors, text: "{{errorsPlace}}")
        library.register(try place.parsed(), named: Self.errors)
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

    /// The files that can be replaced, by name.
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

    func render(_ template: String, _ scope: TemplateScope) -> String {
        library.render(scope, withTemplate: template) ?? ""
    }

    /// The texts of a language, by key; missing ones are in English.
    func texts(_ language: Language) -> [String: String] { texts[language] ?? [:] }

    /// The address of a script, such as `shop`, of the stylesheet of its pages, such as `shop-style`, or of the `icon`.
    func path(_ asset: String) -> String { assets[asset]?.path ?? "" }

    /// The asset with a path; nil for an unknown path, such as that of an earlier version.
    func asset(path: String) -> Asset? { assets.values.first { $0.path == path } }
}

/// The texts of a language by their keys, which templates use as `t`.
struct PageTexts: MustacheParent {
    let texts: [String: String]

    func child(named name: String) -> Any? { texts[name]?.forTemplate }
}

/// Finds unknown names in an owner's templates, which would leave gaps in the page.
struct ThemeCheck {
    let files: [String: String]
    /// The texts of a language, by key.
    let texts: [String: String]

    /// - Parameter names: the files that replace others.
    /// - Throws: `TemplateMistake` for the first mistake.
    func check(_ names: [String]) throws {
        for name in names where WebTheme.isTemplate(name) {
            try check(TemplateFile(name: name, text: files[name] ?? ""))
        }
    }

    private func check(_ file: TemplateFile) throws {
        // Other delimiters and content types would bypass the checks below.
        for (index, line) in file.text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
        where line.contains(/\{\{\s*[=%]/) {
            throw TemplateMistake(
                file: file.name, line: index + 1, problem: "a template may not change the delimiters or the escaping")
        }
        // This also finds a tag over several lines, which `tags` does not.
        if let raw = file.text.firstMatch(of: #/\{\{[{&](?!\s*jsonLd\s*\})/#) {
            let lines = file.text[..<raw.range.lowerBound].split(separator: "\n", omittingEmptySubsequences: false)
            throw TemplateMistake(
                file: file.name, line: lines.count, column: (lines.last?.count ?? 0) + 1, problem: Self.unescaped)
        }
        try checkParts(of: file)
        let known = names(for: file.name.replacing(".mustache", with: ""))
        for tag in file.tags {
            if tag.name.hasPrefix("t.") {
                let key = String(tag.name.dropFirst(2))
                guard texts[key] != nil else {
                    throw file.mistake(at: tag, "unknown text key “\(key)”; see en.json")
                }
            } else if let unknown = tag.name.split(separator: ".").map(String.init).first(where: {
                !known.contains($0)
            }) {
                let close = Self.names(like: unknown, among: known).joined(separator: ", ")
                throw file.mistake(at: tag, "unknown value “\(unknown)”; the closest names are \(close)")
            }
        }
    }

    /// The five known names that are closest to a mistyped one.
    private static func names(like mistake: String, among known: Set<String>) -> [String] {
        let letters = Array(mistake)
        let distances = known.map { (Array($0).difference(from: letters).count, $0) }
        return distances.sorted(by: <).prefix(5).map(\.1)
    }

    private static let unescaped = "a template may not turn off the escaping of a value; use two braces"

    /// - Throws: `TemplateMistake` for a template that includes itself, which would never finish rendering.
    private func checkParts(of file: TemplateFile) throws {
        var (waiting, seen) = (parts(of: file.name), Set<String>())
        while let part = waiting.popLast() {
            guard part != file.name else {
                throw TemplateMistake(file: file.name, problem: "the template includes itself")
            }
            if seen.insert(part).inserted { waiting += parts(of: part) }
        }
    }

    /// The files of the partials that a template includes.
    private func parts(of name: String) -> [String] {
        (files[name] ?? "").matches(of: #/\{\{[><]\s*(?<part>[^\s}]+)/#).map { match in
            let part = String(match.part)
            return files[part] == nil ? part + ".mustache" : part
        }
    }

    /// The names of values at any depth. Every page may include a partial, so a partial may use the names of all pages.
    private func names(for template: String) -> Set<String> {
        let pages: [any TemplateValues.Type] = PageModels.pages[template].map { [$0] } ?? PageModels.all
        return (PageModels.frames + pages).reduce(into: ["t"]) { names, type in
            names.formUnion(ValueNames.names(of: type).union(ValueNames.flags(of: type)))
        }
    }
}
