import Foundation
import Mustache
import PouchDomain

/// The templates of all mails: the shop's own files, and defaults for the others.
///
///     let templates = try MailTemplates(folder: folder)
///     let (subject, text, html) = templates.render(.orderPaid, values)
///
/// A kind has two templates in Mustache. `orderPaid.txt` begins with `Subject:` and an empty line, then comes the plain
/// text; `orderPaid.html` is the same as a web page. `layout.txt`, `layout.html`, `order.txt` and `order.html` are parts
/// that the others use.
public struct MailTemplates: Sendable {
    /// A mistake in a folder of templates.
    public struct Mistake: Error, Equatable, CustomStringConvertible {
        public let file: String
        /// From 1; nil for the file as a whole.
        public let line: Int?
        public let column: Int?
        /// For people, without a full stop.
        public let problem: String

        public var description: String {
            [file, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
                + ": \(problem)."
        }
    }

    private static let parts = ["layout", "order"]
    /// The longest line of plain text.
    private static let lineLength = 72
    /// The names of all files that a folder may have.
    public static let fileNames = (MailKind.allCases.map(\.rawValue) + parts).flatMap { ["\($0).txt", "\($0).html"] }

    private let library: MustacheLibrary

    /// The templates that come with the server.
    public init() throws {
        try self.init(replacing: [:])
    }

    /// - Parameter folder: the files that replace templates; hidden files and folders in it are ignored.
    /// - Throws: `Mistake`; the file system's error for a folder that cannot be read.
    public init(folder: URL) throws {
        var files: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
            let file = folder.appending(path: name)
            var isFolder = ObjCBool(false)
            guard !name.hasPrefix("."), FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder),
                !isFolder.boolValue
            else { continue }
            guard Self.fileNames.contains(name) else {
                throw Mistake(
                    file: file.path, line: nil, column: nil,
                    problem: "no mail has a template of this name; the names are "
                        + Self.fileNames.joined(separator: ", "))
            }
            do {
                files[name] = try String(contentsOf: file, encoding: .utf8)
            } catch {
                throw Mistake(file: file.path, line: nil, column: nil, problem: "the file is no text in UTF-8")
            }
        }
        do {
            try self.init(replacing: files)
        } catch let mistake as Mistake {
            throw Mistake(
                file: folder.appending(path: mistake.file).path, line: mistake.line, column: mistake.column,
                problem: mistake.problem)
        }
    }

    private init(replacing files: [String: String]) throws {
        var library = MustacheLibrary()
        for (name, text) in DefaultTemplates.all.merging(files, uniquingKeysWith: { $1 }) {
            library.register(try Self.parse(text, name: name), named: name)
        }
        self.library = library
        for (name, text) in files.sorted(by: { $0.key < $1.key }) { try check(name, text) }
    }

    /// The text of each default template, by the name of its file.
    public static var defaults: [String: String] { DefaultTemplates.all }

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
        text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard line.count > lineLength else { return String(line) }
            return line.split(separator: " ").reduce(into: [String]()) { lines, word in
                if let last = lines.last, last.count + 1 + word.count <= lineLength {
                    lines[lines.count - 1] = last + " " + word
                } else {
                    lines.append(String(word))
                }
            }.joined(separator: "\n")
        }.joined(separator: "\n")
    }

    private static func rest(of text: String) -> String { String(text.drop(while: \.isNewline)) }

    // MARK: Checking

    /// The line before each text template, which switches off the escaping of HTML.
    private static let plainText = "{{% CONTENT_TYPE: TEXT}}\n"

    private static func parse(_ text: String, name: String) throws -> MustacheTemplate {
        let isPlain = name.hasSuffix(".txt")
        do {
            return try MustacheTemplate(string: isPlain ? plainText + text : text)
        } catch let error as MustacheTemplate.ParserError where "\(error.error)" == "overflow" {
            // For an open tag, the library reports the end of the text, with an error that has no public case.
            let before = text.ranges(of: "{{").last.map { text[..<$0.lowerBound] } ?? text[...]
            let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
            throw Mistake(
                file: name, line: lines.count, column: (lines.last?.count ?? 0) + 1, problem: "this tag is not closed")
        } catch let error as MustacheTemplate.ParserError {
            let context = error.context
            throw Mistake(
                file: name, line: context.lineNumber - (isPlain ? 1 : 0), column: context.columnNumber,
                problem: problem(error.error))
        }
    }

    private static func problem(_ error: any Error) -> String {
        switch error {
        case MustacheTemplate.Error.sectionCloseNameIncorrect: "this tag closes another section than the open one"
        case MustacheTemplate.Error.unfinishedName: "this tag is not closed, or its name is no name"
        case MustacheTemplate.Error.expectedSectionEnd: "a section is not closed"
        case MustacheTemplate.Error.invalidSetDelimiter: "the delimiters cannot be read"
        default: "this is not Mustache (\(error))"
        }
    }

    /// A name that no mail of the kind has would leave a gap in every mail.
    private func check(_ name: String, _ text: String) throws {
        let kind = MailKind.allCases.first { name.hasPrefix($0.rawValue + ".") }
        let names = MailSamples.names(kind.map { [$0] } ?? MailKind.allCases)
        for tag in TemplateTags(in: text) where !names.contains(tag.name) {
            throw Mistake(
                file: name, line: tag.line, column: tag.column,
                problem: "no value is named “\(tag.name)” here; there are \(names.sorted().joined(separator: ", "))")
        }
        if let kind, name.hasSuffix(".txt"), !text.hasPrefix("Subject:") {
            throw Mistake(
                file: name, line: 1, column: 1,
                problem: "the first line must be the subject, as in “Subject: \(kind.rawValue)”")
        }
    }
}

/// The names of values in a template, with their places.
private struct TemplateTags: Sequence, IteratorProtocol {
    struct Tag {
        let name: String
        let line: Int
        let column: Int
    }

    private var rest: [Tag]

    init(in text: String) {
        rest = []
        // Comments, partials, blocks and pragmas name no values. After a change of delimiters nothing is checked.
        let pattern = #/\{\{(?<sigil>[#^&{/]?)\s*(?<name>[A-Za-z0-9_.]+)\s*\}\}/#
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.contains("{{=") { return }
            for match in line.matches(of: pattern) where match.sigil != "/" && match.name != "." {
                rest.append(
                    Tag(
                        name: String(match.name), line: index + 1,
                        column: line.distance(from: line.startIndex, to: match.range.lowerBound) + 1))
            }
        }
        rest.reverse()
    }

    mutating func next() -> Tag? { rest.popLast() }
}
