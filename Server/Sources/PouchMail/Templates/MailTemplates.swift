import Foundation
import Mustache
import PouchDomain
import PouchEntities
import PouchTemplates

/// The templates of all e-mails: the shop's own files, with defaults for the rest.
///
///     let templates = try MailTemplates(folder: folder)
///     let (subject, text, html) = templates.render(.orderPaid, values)
///
/// Each kind has two Mustache templates. `orderPaid.txt` starts with `Subject:` and an empty line, followed by the
/// plain text; `orderPaid.html` is the same e-mail in HTML. `layout.txt`, `layout.html`, `order.txt` and `order.html`
/// are partials that the others include.
public struct MailTemplates: Sendable {
    private static let parts = ["layout", "order"]
    /// The maximum line length of plain text.
    private static let lineLength = 72
    /// The names of all files allowed in a folder.
    public static let fileNames = (MailKind.allCases.map(\.rawValue) + parts).flatMap { ["\($0).txt", "\($0).html"] }

    private let library: MustacheLibrary
    /// The names of the shop's own files.
    private let own: Set<String>

    /// Creates the default templates.
    public init() throws {
        try self.init(replacing: [:])
    }

    /// Creates the templates with those that a folder replaces.
    ///
    /// - Parameter folder: the folder with the shop's files; hidden files and subfolders are ignored.
    /// - Throws: `TemplateMistake`; the file system's error for a folder that cannot be read.
    public init(folder: URL) throws {
        let files = try TemplateFile.texts(in: folder) { name in
            Self.fileNames.contains(name)
                ? nil
                : "no e-mail template has this name; the names are " + Self.fileNames.joined(separator: ", ")
        }
        self = try TemplateFile.checking(folder) { try MailTemplates(replacing: files) }
    }

    private init(replacing files: [String: String]) throws {
        var library = MustacheLibrary()
        for (name, text) in Self.defaults.merging(files, uniquingKeysWith: { $1 }) {
            library.register(try TemplateFile(name: name, text: text).parsed(), named: name)
        }
        self.library = library
        own = Set(files.keys)
        for (name, text) in files.sorted(by: { $0.key < $1.key }) { try check(TemplateFile(name: name, text: text)) }
    }

    /// The texts of the default templates, by file name.
    public static var defaults: [String: String] { EmbeddedText.files }

    /// Whether the shop has its own template for a kind.
    package func isOwn(_ kind: MailKind) -> Bool {
        !own.isDisjoint(with: ["\(kind.rawValue).txt", "\(kind.rawValue).html"])
    }

    // MARK: Rendering

    func render(_ kind: MailKind, _ values: MailValues) -> (subject: String, text: String, html: String) {
        let scope = TemplateScope(values)
        let whole = Self.rest(of: library.render(scope, withTemplate: kind.rawValue + ".txt") ?? "")
        let lines = whole.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let subject = (lines.first ?? "").drop { $0 != ":" }.dropFirst()
        return (
            subject.trimmingCharacters(in: .whitespaces),
            Self.wrapped(Self.rest(of: lines.count > 1 ? String(lines[1]) : "")),
            library.render(scope, withTemplate: kind.rawValue + ".html") ?? ""
        )
    }

    /// Wraps long lines between words, for terminals. An address has no spaces, so it stays whole.
    private static func wrapped(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            line.count > lineLength ? String(line).wrapped(to: lineLength, breaksWords: false) : [String(line)]
        }.joined(separator: "\n")
    }

    private static func rest(of text: String) -> String { String(text.drop(while: \.isNewline)) }

    // MARK: Checking

    /// Refuses unknown names of values, which would leave a gap in every e-mail.
    private func check(_ file: TemplateFile) throws {
        let kind = MailKind.allCases.first { file.name.hasPrefix($0.rawValue + ".") }
        let names = MailValues.names(for: kind.map { [$0] } ?? MailKind.allCases)
        for tag in file.tags where !names.contains(tag.name) {
            throw file.mistake(
                at: tag, "unknown value “\(tag.name)”; the values are \(names.sorted().joined(separator: ", "))")
        }
        if let kind, file.name.hasSuffix(".txt"), !file.text.hasPrefix("Subject:") {
            throw TemplateMistake(
                file: file.name, line: 1, column: 1,
                problem: "the first line must be the subject, as in “Subject: \(kind.rawValue)”")
        }
    }
}
