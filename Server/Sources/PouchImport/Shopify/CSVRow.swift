import PouchDomain
import PouchFeed

/// One record of a CSV file.
struct CSVRow: Equatable {
    /// The physical line on which it begins, from 1.
    let line: Int
    let cells: [String]
}
