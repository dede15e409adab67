import Foundation
import Mustache

/// A mistake in one of the shop's own templates.
package struct TemplateMistake: Error, Equatable, CustomStringConvertible {
    package let file: String
    /// The line, from 1; nil if the mistake concerns the whole file.
    package let line: Int?
    package let column: Int?
    /// A description for people, without a full stop.
    package let problem: String

    package init(file: String, line: Int? = nil, column: Int? = nil, problem: String) {
        self.file = file
        self.line = line
        self.column = column
        self.problem = problem
    }

    package var description: String {
        [file, line.map(String.init), column.map(String.init)].compactMap(\.self).joined(separator: ":")
            + ": \(problem)."
    }

    /// The same mistake with the full path of the file.
    func within(_ folder: URL) -> TemplateMistake {
        TemplateMistake(file: folder.appending(path: file).path, line: line, column: column, problem: problem)
    }
}

/// The text of a Mustache template of an e-mail or a page.
package struct TemplateFile: Sendable {
    /// The line before each text template, which turns off HTML escaping.
    private static let plainText = "{{% CONTENT_TYPE: TEXT}}\n"
    /// The line before all others.
    private static let markup: String = {
        MustacheContentTypes.register(MarkupEscaping(), named: "MARKUP")
        return "{{% CONTENT_TYPE: MARKUP}}\n"
    }()

    /// The file name with its extension; `.txt` is plain text, in which nothing is escaped.
    package let name: String
    package let text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    /// Reads the files of a folder, by name. Hidden files and subfolders are ignored.
    ///
    /// - Parameter refusal: returns why a file of this name is not allowed, for people; nil if it is allowed.
    /// - Throws: `TemplateMistake`; the file system's error for a folder that cannot be read.
    package static func texts(in folder: URL, refusal: (_ name: String) -> String?) throws -> [String: String] {
        var texts: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
            let file = folder.appending(path: name)
            var isFolder = ObjCBool(false)
            guard !name.hasPrefix("."), FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder),
                !isFolder.boolValue
            else { continue }
            if let refusal = refusal(name) { throw TemplateMistake(file: file.path, problem: refusal) }
            guard let text = try? String(contentsOf: file, encoding: .utf8) else {
                throw TemplateMistake(file: file.path, problem: "the file is not UTF-8 text")
            }
            texts[name] = text
        }
        return texts
    }

    /// Runs a check of the files in a folder, and adds the folder to the mistakes that it throws.
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
            // For an unclosed tag, the library reports the end of the text, with an error that has no public case.
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
        case MustacheTemplate.Error.sectionCloseNameIncorrect: "this tag does not close the open section"
        case MustacheTemplate.Error.unfinishedName: "this tag is not closed, or its name is not valid"
        case MustacheTemplate.Error.expectedSectionEnd: "a section is not closed"
        case MustacheTemplate.Error.invalidSetDelimiter: "the delimiters are not valid"
        default: "this is not Mustache (\(error))"
        }
    }

    /// A tag that refers to a value, with its position.
    package struct Tag {
        package let name: String
        let line: Int
        let column: Int
    }

    /// The tags that refer to values, which comments, partials, blocks and pragmas do not. Tags after a change of
    /// delimiters are not found.
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

/// Escapes values for HTML and XML.
///
/// The library's own escaping compares whole characters. It misses a quote with a combining accent, which still ends an
/// attribute.
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

    /// Whether a byte may need escaping. Includes the first byte of U+FFFE and U+FFFF, and line breaks and tabs, which
    /// stay.
    private static func mayNeedEscaping(_ byte: UInt8) -> Bool {
        switch byte {
        case ..<0x20, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "\""), UInt8(ascii: "'"),
            0xEF:
            true
        default: false
        }
    }
}
