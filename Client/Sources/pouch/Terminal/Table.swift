#if TerminalPrograms
    import PouchTerminal

    /// Rows of cells: aligned under a header on a terminal, with tabs between the cells in a pipe.
    struct Table {
        struct Column {
            let title: String
            var isNumber = false
        }

        let columns: [Column]
        let rows: [[StyledText]]

        func aligned(styled: Bool) -> [String] {
            let hasHeader = columns.contains { !$0.title.isEmpty }
            let lines = (hasHeader ? [columns.map { StyledText($0.title, .dim) }] : []) + rows
            let widths = columns.indices.map { column in
                lines.map { $0[column].columns }.max() ?? 0
            }
            return lines.map { cells in
                let padded = cells.indices.map { column in
                    let cell = cells[column]
                    let padding = String(repeating: " ", count: widths[column] - cell.columns)
                    let text = styled ? cell.rendered : cell.plain
                    return columns[column].isNumber ? padding + text : text + padding
                }
                let line = padded.joined(separator: "  ")
                return String(line.reversed().drop { $0 == " " }.reversed())
            }
        }

        func separated() -> [String] {
            rows.map { cells in cells.map { $0.plain }.joined(separator: "\t") }
        }
    }
#endif
