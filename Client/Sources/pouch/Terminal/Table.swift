#if TerminalPrograms
    /// Rows of cells: aligned under a header on a terminal, with tabs between the cells in a pipe.
    struct Table {
        struct Column {
            let title: String
            var isNumber = false
        }

        let columns: [Column]
        let rows: [[Text]]

        func aligned(styled: Bool) -> [String] {
            let hasHeader = columns.contains { !$0.title.isEmpty }
            let lines = (hasHeader ? [columns.map { Text($0.title, .dim) }] : []) + rows
            let widths = columns.indices.map { column in
                lines.map { $0[column].width(styled: styled) }.max() ?? 0
            }
            return lines.map { cells in
                let padded = cells.indices.map { column in
                    let cell = cells[column]
                    let padding = String(repeating: " ", count: widths[column] - cell.width(styled: styled))
                    let text = cell.rendered(styled: styled)
                    return columns[column].isNumber ? padding + text : text + padding
                }
                let line = padded.joined(separator: "  ")
                return String(line.reversed().drop { $0 == " " }.reversed())
            }
        }

        func separated() -> [String] {
            rows.map { cells in cells.map { $0.rendered(styled: false) }.joined(separator: "\t") }
        }
    }
#endif
