import Foundation
import Mustache

/// A mistake in a template of the shop's owner.
public struct TemplateMistake: Error, Equatable, CustomStringConvertible {
    public let file: String
    /// From 1; nil for the file as a whole.
    public let line: Int?
    public let column: Int?
    /// For people, without a full stop.
    public let problem: String

    package init(file: String, line: Int? = nil, column: Int? = nil, problem: String) {
        self.file = file
        self.line = line
        self.column = column
        self.problem = problem
    }

    public var description: String {
        [file, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
            + ": \(problem)."
    }

    /// The same mistake, with the folder in front of the file's name.
    func within(_ folder: URL) -> TemplateMistake {
        TemplateMistake(file: folder.appending(path: file).path, line: line, column: column, problem: problem)
    }
}

/// The text of a template in Mustache, for mails and for pages.
package struct TemplateFile: Sendable {
    /// The line before each text template, which switches off the escaping of HTML.
    private static let plainText = "{{% CONTENT_TYPE: TEXT}}\n"
    /// The line before all others.
    private static let markup: String = {
        MustacheContentTypes.register(MarkupEscaping(), named: "MARKUP")
        return "{{% CONTENT_TYPE: MARKUP}}\n"
    }()

    /// With its extension; `.txt` is plain text, in which nothing is escaped.
    package let name: String
    package let text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    /// The texts of the files in a folder, by their names. Hidden files and folders in it are ignored.
    ///
    /// - Parameter refusal: why a file of this name cannot be there, for people; nil if it can.
    /// - Throws: `TemplateMistake`; the file system's error for a folder that cannot be read.
    package static func texts(
        in folder: URL, refusal: (_ name: String) -> String?
    ) throws -> [String: String] {
        var texts: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
            let file = folder.appending(path: name)
            var isFolder = ObjCBool(false)
            guard !name.hasPrefix("."), FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder),
                !isFolder.boolValue
            else { continue }
            if let refusal = refusal(name) { throw TemplateMistake(file: file.path, problem: refusal) }
            guard let text = try? String(contentsOf: file, encoding: .utf8) else {
                throw TemplateMistake(file: file.path, problem: "the file is no text in UTF-8")
            }
            texts[name] = text
        }
        return texts
    }

    /// Runs a check of files of a folder, whose mistakes then name the folder.
    package static func checking<Result>(_ folder: URL, _ check: () throws -> Result) throws -> Result {
        do { return try check() } catch let mistake as TemplateMistake { throw mistake.within(folder) }
    }

    // MARK: Checking

    /// - Throws: `TemplateMistake`.
    package func parsed() throws -> MustacheTemplate {
        let isPlain = name.hasSuffix(".txt")
        do {
            return try MustacheTemplate(string: (isPlain ? Self.plainText : Self.markup) + text)
        } catch let error as MustacheTemplate.ParserError where "\(error.error)" == "overflow" {
            // For an open tag, the library reports the end of the text, with an error that has no public case.
            let before = text.ranges(of: "{{").last.map { text[..<$0.lowerBound] } ?? text[...]
            let lines = before.split(separator: "\n", omittingEmptySubsequences: false)
            throw TemplateMistake(
                file: name, line: lines.count, column: (lines.last?.count ?? 0) + 1, problem: "this tag is not closed")
        } catch let error as MustacheTemplate.ParserError {
            let context = error.context
            throw TemplateMistake(
                file: name, line: context.lineNumber - 1, column: context.columnNumber,
                problem: Self.problem(error.error))
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

    /// A tag that names a value, with its place.
    package struct Tag {
        package let name: String
        let line: Int
        let column: Int
    }

    /// The tags that name values. Comments, partials, blocks and pragmas name none. After a change of delimiters nothing
    /// is found.
    package var tags: [Tag] {
        var tags: [Tag] = []
        let pattern = #/\{\{(?<sigil>[#^&{/]?)\s*(?<name>[A-Za-z0-9_.-]+)\s*\}\}/#
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.contains("{{=") { break }
            for match in line.matches(of: pattern) where match.sigil != "/" && match.name != "." {
                tags.append(
                    Tag(
                        name: String(match.name), line: index + 1,
                        column: line.distance(from: line.startIndex, to: match.range.lowerBound) + 1))
            }
        }
        return tags
    }

    package func mistake(at tag: Tag, _ problem: String) -> TemplateMistake {
        TemplateMistake(file: name, line: tag.line, column: tag.column, problem: problem)
    }
}

/// Writes values as text of HTML and XML.
///
/// That of the library compares whole characters. A quote with a combining accent is another character than a quote, but
/// ends an attribute all the same.
struct MarkupEscaping: MustacheContentType {
    func escapeText(_ text: String) -> String {
        // Most texts have nothing to escape.
        guard text.utf8.contains(where: Self.mayNeedEscaping) else { return text }
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            // No document may contain these (XML 1.0 §2.2), not even as a reference.
            case "\u{0}"..."\u{8}", "\u{B}", "\u{C}", "\u{E}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": continue
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }

    /// Also the first byte of U+FFFE and U+FFFF, and line breaks and tabs, which stay.
    private static func mayNeedEscaping(_ byte: UInt8) -> Bool {
        switch byte {
        case ..<0x20, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "\""), UInt8(ascii: "'"),
            0xEF:
            true
        default: false
        }
    }
}
