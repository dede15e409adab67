import Foundation

/// The names by which the files of the pages refer to each other: classes, values and texts.
///
///     let parts = try PageParts()
///     #expect(parts.styledClasses.subtracting(parts.templateClasses) == [])
struct PageParts {
    /// The texts of the files of `PouchWeb` by their names, also of those in Swift.
    var files: [String: String]

    /// Reads the files from the repository, since the server has no Swift files in it.
    init() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Server/Sources/PouchWeb").standardized
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        let endings = ["mustache", "txt", "css", "js", "json", "swift"]
        let files = paths.map { folder.appending(path: $0) }.filter { endings.contains($0.pathExtension) }
        self.files = try Dictionary(
            uniqueKeysWithValues: files.map { ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8)) })
    }

    private func texts(_ endings: String...) -> [String] {
        files.filter { file in endings.contains { file.key.hasSuffix($0) } }.map(\.value)
    }

    /// The classes in selectors of the stylesheets.
    var styledClasses: Set<String> {
        let selectors = texts(".css").map { $0.replacing(#/(?s)\/\*.*?\*\//#, with: "") }
            .flatMap { $0.matches(of: #/([^{};]*)\{/#).map(\.output.1) }
        return Set(selectors.flatMap { $0.matches(of: #/\.([A-Za-z_][\w-]*)/#).map { String($0.output.1) } })
    }

    /// The literal classes in templates, without those from values.
    var templateClasses: Set<String> {
        let lists = texts(".mustache").flatMap { $0.matches(of: #/\sclass="([^"]*)"/#).map(\.output.1) }
        let words = lists.flatMap { $0.replacing(#/\{\{[#^\/][^}]*\}\}/#, with: " ").split(separator: " ") }
        return Set(words.filter { !$0.contains("{{") }.map(String.init))
    }

    /// The words in the strings of scripts, among them the classes that they look for or set.
    var scriptWords: Set<String> {
        let strings = texts(".js").flatMap { $0.matches(of: #/"([^"\n]*)"|'([^'\n]*)'|`([^`]*)`/#).map(\.output.0) }
        return Set(strings.flatMap { $0.matches(of: #/[A-Za-z_][\w-]*/#).map { String($0.output) } })
    }

    /// The names that templates use, at any depth: `status` and `text` of `{{status.text}}`.
    var templateNames: Set<String> { Set(templateTags.flatMap { $0.split(separator: ".").map(String.init) }) }

    private var templateTags: [String] {
        texts(".mustache", ".txt").flatMap { text in
            text.matches(of: #/\{\{\{?[#^&\/]?\s*([A-Za-z0-9_.-]+)\s*\}/#).map { String($0.output.1) }
        }
    }

    /// The texts in a language by their keys.
    func texts(in language: String = "en") throws -> [String: String] {
        try JSONDecoder().decode([String: String].self, from: Data((files["\(language).json"] ?? "").utf8))
    }

    /// The keys that templates name as `t.key`.
    var templateKeys: Set<String> { Set(templateTags.filter { $0.hasPrefix("t.") }.map { String($0.dropFirst(2)) }) }

    /// The strings of Swift files as they are written, among them the keys without gaps.
    var swiftStrings: Set<String> {
        Set(texts(".swift").flatMap { $0.matches(of: #/"((?:[^"\\\n]|\\.)*)"/#).map { String($0.output.1) } })
    }

    /// The keys of texts in Swift files, as far as they are literals.
    var swiftKeys: Set<String> {
        let call = #/site\.text\("([a-z0-9-]+)"(?! \+)/#
        return Set(texts(".swift").flatMap { $0.matches(of: call).map { String($0.output.1) } })
    }

    /// The notices that forms leave for the next page.
    var notices: Set<String> {
        Set(texts(".swift").flatMap { $0.matches(of: #/notice(?:\(|: )"([a-z-]+)"/#).map { String($0.output.1) } })
    }
}
