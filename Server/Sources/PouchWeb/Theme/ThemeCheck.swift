import Foundation
import PouchTemplates

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
        let own = PageModels.all.filter { $0.template == template }
        let pages: [any TemplateValues.Type] = own.isEmpty ? PageModels.all : own
        return (PageModels.frames + pages).reduce(into: ["t"]) { names, type in
            names.formUnion(ValueNames.names(of: type).union(ValueNames.flags(of: type)))
        }
    }
}
