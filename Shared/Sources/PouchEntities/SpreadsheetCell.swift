/// The texts of cells in files that are opened in a spreadsheet.
///
/// A spreadsheet runs a cell that begins with `=`, `+`, `-`, `@`, a tab or a line break as a formula, which can send
/// data elsewhere or start programs. A spreadsheet that separates cells by a character other than the comma, as in many
/// languages, also splits a text there. An apostrophe before each such beginning makes it text, and is removed when the
/// file is read. Both directions are inverse for every text, even one that contains such apostrophes itself.
public enum SpreadsheetCell {
    private static let apostrophe: Unicode.Scalar = "'"
    /// Some spreadsheets treat the full-width forms alike.
    private static let starts = Set("=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars)
    private static let breaks = Set("\t\r\n".unicodeScalars)
    private static let separators = Set(";|\t\r\n".unicodeScalars)

    /// The cell for a text, in quotes where CSV needs them (RFC 4180).
    public static func cell(_ text: String) -> String {
        let safe = edited(text) { rest in
            beginsFormula(rest, atStart: rest.startIndex == text.startIndex) ? (0, "'") : nil
        }
        guard safe.utf8.contains(where: { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }) else { return safe }
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }

    /// The text of a cell whose quotes were removed.
    public static func text(_ cell: String) -> String {
        guard cell.utf8.contains(UInt8(ascii: "'")) else { return cell }
        return edited(cell) { rest in
            rest.first == apostrophe && beginsFormula(rest, atStart: rest.startIndex == cell.startIndex) ? (1, "") : nil
        }
    }

    /// The text with edits at the places where a spreadsheet may begin a cell.
    ///
    /// - Parameter edit: the number of scalars to omit and those to insert for the text from such a place on.
    private static func edited(
        _ text: String, _ edit: (Substring.UnicodeScalarView) -> (drop: Int, write: String)?
    ) -> String {
        let scalars = text.unicodeScalars
        guard scalars.contains(where: { starts.contains($0) || breaks.contains($0) }) else { return text }
        var (output, isBeginning, index) = (String.UnicodeScalarView(), true, scalars.startIndex)
        while index < scalars.endIndex {
            if isBeginning, let (drop, write) = edit(Substring(text[index...]).unicodeScalars) {
                output.append(contentsOf: write.unicodeScalars)
                index = scalars.index(index, offsetBy: drop, limitedBy: scalars.endIndex) ?? scalars.endIndex
                isBeginning = false
                if drop > 0 { continue }
            }
            let scalar = scalars[index]
            output.append(scalar)
            isBeginning = separators.contains(scalar)
            index = scalars.index(after: index)
        }
        return String(output)
    }

    /// Whether the text, after any number of apostrophes and spaces, begins like a formula.
    private static func beginsFormula(_ text: Substring.UnicodeScalarView, atStart: Bool) -> Bool {
        text.first { $0 != apostrophe && $0 != " " }.map { starts.contains($0) || atStart && breaks.contains($0) }
            ?? false
    }
}
