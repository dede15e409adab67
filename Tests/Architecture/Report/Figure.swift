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
