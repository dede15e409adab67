/// A row of the report.
struct Figure {
    /// `V1` to `V9` are problems of velocity, `A1` to `A3` of agility.
    let problem: String
    let name: String
    /// One for each architecture, or one that holds for all.
    let values: [String]
    /// How it was got.
    let how: String
}

extension Figure {
    /// How many places there are.
    init(_ problem: String, _ name: String, _ places: [[Place]], how: String) {
        self.init(problem: problem, name: name, values: places.map { "\($0.count)" }, how: how)
    }
}
