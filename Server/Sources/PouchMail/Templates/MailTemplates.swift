import Foundation
import Mustache
import PouchDomain
import PouchEntities

/// The templates of all mails: the shop's own files, and defaults for the others.
///
///     let templates = try MailTemplates(folder: folder)
///     let (subject, text, html) = templates.render(.orderPaid, values)
///
/// A kind has two templates in Mustache. `orderPaid.txt` begins with `Subject:` and an empty line, then comes the plain
/// text; `orderPaid.html` is the same as a web page. `layout.txt`, `layout.html`, `order.txt` and `order.html` are parts
/// that the others use.
public struct MailTemplates: Sendable {
    private static let parts = ["layout", "order"]
    /// The longest line of plain text.
    private static let lineLength = 72
    /// The names of all files that a folder may have.
    public static let fileNames = (MailKind.allCases.map(\.rawValue) + parts).flatMap { ["\($0).txt", "\($0).html"] }

    private let library: MustacheLibrary
    /// The names of the shop's own files.
    private let own: Set<String>

    /// The templates that come with the server.
    public init() throws {
        try self.init(replacing: [:])
    }

    /// - Parameter folder: the files that replace templates; hidden files and folders in it are ignored.
    /// - Throws: `TemplateMistake`; the file system's error for a folder that cannot be read.
    public init(folder: URL) throws {
        let files = try TemplateFile.texts(in: folder) { name in
            Self.fileNames.contains(name)
                ? nil
                : "no mail has a template of this name; the names are " + Self.fileNames.joined(separator: ", ")
        }
        self = try TemplateFile.checking(folder) { try MailTemplates(replacing: files) }
    }

    private init(replacing files: [String: String]) throws {
        var library = MustacheLibrary()
        for (name, text) in DefaultTemplates.all.merging(files, uniquingKeysWith: { $1 }) {
            library.register(try TemplateFile(name: name, text: text).parsed(), named: name)
        }
        self.library = library
        own = Set(files.keys)
        for (name, text) in files.sorted(by: { $0.key < $1.key }) { try check(TemplateFile(name: name, text: text)) }
    }

    /// The text of each default template, by the name of its file.
    public static var defaults: [String: String] { DefaultTemplates.all }

    /// Whether the shop has a template of its own for the kind.
    package func isOwn(_ kind: MailKind) -> Bool {
        !own.isDisjoint(with: ["\(kind.rawValue).txt", "\(kind.rawValue).html"])
    }

    // MARK: Rendering

    func render(_ kind: MailKind, _ values: [String: Any]) -> (subject: String, text: String, html: String) {
        let whole = Self.rest(of: library.render(values, withTemplate: kind.rawValue + ".txt") ?? "")
        let lines = whole.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let subject = (lines.first ?? "").drop { $0 != ":" }.dropFirst()
        return (
            subject.trimmingCharacters(in: .whitespaces),
            Self.wrapped(Self.rest(of: lines.count > 1 ? String(lines[1]) : "")),
            library.render(values, withTemplate: kind.rawValue + ".html") ?? ""
        )
    }

    /// Breaks long lines between words, as terminals need it. An address has no blank and stays whole.
    private static func wrapped(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            line.count > lineLength ? String(line).wrapped(to: lineLength, breaksWords: false) : [String(line)]
        }.joined(separator: "\n")
    }

    private static func rest(of text: String) -> String { String(text.drop(while: \.isNewline)) }

    // MARK: Checking

    /// A name that no mail of the kind has would leave a gap in every mail.
    private func check(_ file: TemplateFile) throws {
        let kind = MailKind.allCases.first { file.name.hasPrefix($0.rawValue + ".") }
        let names = MailSamples.names(kind.map { [$0] } ?? MailKind.allCases)
        for tag in file.tags where !names.contains(tag.name) {
            throw file.mistake(
                at: tag, "no value is named “\(tag.name)” here; there are \(names.sorted().joined(separator: ", "))")
        }
        if let kind, file.name.hasSuffix(".txt"), !file.text.hasPrefix("Subject:") {
            throw TemplateMistake(
                file: file.name, line: 1, column: 1,
                problem: "the first line must be the subject, as in “Subject: \(kind.rawValue)”")
        }
    }
}
