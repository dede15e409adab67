/// A row of the report.
struct Figure {
    /// `V1` to `V9` are problems of velocity, `A1` to `A3` of agility.
    let problem: String
    let name: String
    /// One for each architecture, or one for all.
    let values: [String]
    /// The method of measuring.
    let how: String
}

extension Figure {
    /// Counts places.
    init(_ problem: String, _ name: String, _ places: [[Place]], how: String) {
        self.init(problem: problem, name: name, values: places.map { "\($0.count)" }, how: how)
    }
}

/// Text in columns.
struct Table {
    let head: [String]
    let rows: [[String]]

    func text(markdown: Bool) -> String {
        let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            return markdown
                ? "| " + padded.joined(separator: " | ") + " |" : padded.joined(separator: "  ").trimmingTrailingSpaces
        }
        let rule = widths.map { String(repeating: "-", count: $0) }
        return ([line(head), line(rule)] + rows.map(line)).joined(separator: "\n")
    }
}

extension String {
    fileprivate var trimmingTrailingSpaces: String {
        String(reversed().drop { $0 == " " }.reversed())
    }
}
