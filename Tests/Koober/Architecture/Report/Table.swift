/// A row of the report.
struct Figure {
    /// `V1` to `V9` are problems of velocity, `A1` to `A3` of agility.
    let problem: String
    let name: String
    /// One for each architecture, or one for all.
    let values: [String]
    /// The method of measuring.
    let how: String

    init(_ problem: String, _ name: String, _ values: [String], how: String) {
        (self.problem, self.name, self.values, self.how) = (problem, name, values, how)
    }

    /// Counts places.
    init(_ problem: String, _ name: String, places: [[Place]], how: String) {
        self.init(problem, name, places.map { "\($0.count)" }, how: how)
    }
}

/// Text in columns.
struct Table {
    let head: [String]
    let rows: [[String]]

    func text(markdown: Bool) -> String {
        let widths = head.indices.map { column in ([head] + rows).map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            if markdown { return "| " + padded.joined(separator: " | ") + " |" }
            // Without spaces at the end.
            return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
        let rule = widths.map { String(repeating: "-", count: $0) }
        return ([line(head), line(rule)] + rows.map(line)).joined(separator: "\n")
    }
}
