/// The texts of cells that a spreadsheet opens.
///
/// A spreadsheet runs a cell that begins with `=`, `+`, `-`, `@`, a tab or a carriage return as a formula, which can send
/// data away or start programs. An apostrophe before it makes it a text, and is taken away again when the file is read.
/// Both directions are inverse for every text, also for one that has such apostrophes of its own.
enum SpreadsheetCell {
    private static let apostrophe = UInt8(ascii: "'")
    private static let starts = Set("=+-@\t\r".utf8)

    /// The cell for a text, in quotes where CSV needs them (RFC 4180).
    static func cell(_ text: String) -> String {
        let safe = beginsFormula(text) ? "'" + text : text
        guard safe.utf8.contains(where: { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }) else { return safe }
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }

    /// The text of a cell whose quotes were taken away.
    static func text(_ cell: String) -> String {
        cell.utf8.first == apostrophe && beginsFormula(cell) ? String(cell.dropFirst()) : cell
    }

    /// Whether the text, after any number of apostrophes, begins like a formula.
    private static func beginsFormula(_ text: String) -> Bool {
        text.utf8.first { $0 != apostrophe }.map(starts.contains) ?? false
    }
}
