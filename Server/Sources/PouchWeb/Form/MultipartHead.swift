import Foundation

/// The information about a part of a form from its header.
struct MultipartHead: Sendable, Equatable {
    /// The name of the form field.
    let field: String
    /// The file's name on the visitor's device, without its folder; nil for a text, empty if no file was chosen.
    let fileName: String?
    let mediaType: String?

    init(field: String, fileName: String? = nil, mediaType: String? = nil) {
        self.field = field
        self.fileName = fileName
        self.mediaType = mediaType
    }

    /// Parses a header; nil if it does not name a field, or contains duplicates.
    ///
    /// - Parameter text: the lines of the header.
    init?(lines text: String) {
        var values: [String: String] = [:]
        for line in text.components(separatedBy: "\r\n") {
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let name = line[..<colon].lowercased()
            guard values[name] == nil else { return nil }
            values[name] = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        }
        guard let disposition = values["content-disposition"].flatMap(HeaderParameters.init),
            disposition.value == "form-data", let field = disposition["name"]
        else { return nil }
        self.init(
            field: Self.decoded(field),
            fileName: disposition["filename"].map { String(Self.decoded($0).split { "/\\".contains($0) }.last ?? "") },
            mediaType: values["content-type"])
    }

    /// Decodes a name. Browsers escape these three characters, and no others.
    private static func decoded(_ text: String) -> String {
        text.replacing("%22", with: "\"").replacing("%0D", with: "\r").replacing("%0A", with: "\n")
    }
}

/// The value of a header with its parameters, such as `form-data; name="email"`.
struct HeaderParameters {
    /// The value, in lower case.
    let value: String
    private let parameters: [String: String]

    /// Parses a header value; nil if it is not valid, or has a parameter twice.
    init?(_ text: String) {
        var rest = text[...]
        let value = rest.prefix { $0 != ";" }
        rest = rest.dropFirst(value.count)
        self.value = value.trimmingCharacters(in: .whitespaces).lowercased()
        var parameters: [String: String] = [:]
        while rest.first == ";" {
            rest = rest.dropFirst().drop(while: \.isWhitespace)
            if rest.isEmpty { break }
            guard let equals = rest.firstIndex(of: "=") else { return nil }
            let name = rest[..<equals].lowercased()
            rest = rest[rest.index(after: equals)...]
            guard let parameter = Self.parameter(&rest), parameters[name] == nil else { return nil }
            parameters[name] = parameter
            rest = rest.drop(while: \.isWhitespace)
        }
        guard rest.isEmpty else { return nil }
        self.parameters = parameters
    }

    /// - Parameter name: the name, in lower case.
    subscript(_ name: String) -> String? { parameters[name] }

    /// Reads a word, or a quoted text in which only quotes are escaped: browsers do not escape the backslashes in a
    /// file's name.
    private static func parameter(_ rest: inout Substring) -> String? {
        guard rest.first == "\"" else {
            let word = rest.prefix { $0 != ";" }
            rest = rest.dropFirst(word.count)
            return word.trimmingCharacters(in: .whitespaces)
        }
        rest.removeFirst()
        var text = ""
        while let character = rest.popFirst() {
            if character == "\"" { return text }
            if character == "\\", rest.first == "\"" {
                rest.removeFirst()
                text.append("\"")
            } else {
                text.append(character)
            }
        }
        return nil
    }
}
