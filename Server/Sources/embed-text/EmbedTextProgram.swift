import Foundation

/// Writes a Swift file with the texts of other files: `embed-text OUTPUT FILE...`.
///
/// A string literal compiles at once. The array of bytes that SwiftPM makes of an embedded resource takes a second for
/// each 10 kB.
@main
struct EmbedTextProgram {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.contains("--help") { return print("usage: embed-text OUTPUT FILE...") }
        guard let output = arguments.first, !arguments.contains(where: { $0.hasPrefix("-") }) else {
            FileHandle.standardError.write(Data("usage: embed-text OUTPUT FILE...\n".utf8))
            exit(64)
        }
        var source =
            "enum EmbeddedText {\n    /// The files by their names.\n    static let files: [String: String] = [\n"
        for path in arguments.dropFirst() {
            let text = try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
            source += "\(literal(URL(fileURLWithPath: path).lastPathComponent)): \(literal(text)),\n"
        }
        source += arguments.count > 1 ? "    ]\n}\n" : ":]\n}\n"
        try source.write(toFile: output, atomically: true, encoding: .utf8)
    }

    private static func literal(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\0"..."\u{1F}", "\u{7F}": result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
