/// Why a feed as a whole cannot be read.
public enum FeedError: Error, Sendable, Equatable {
    case missingFile(String)
    case unreadable(file: String, reason: String)
    /// The header of a CSV file lacks columns without which no row makes sense.
    case missingColumns([String], file: String)
    /// The file's structure is broken, so that its rows cannot be told apart; it may have been cut off.
    case malformed(file: String, line: Int, detail: String)
}

extension FeedError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .missingFile(let file): "There is no \(file)."
        case .unreadable(let file, let reason): "\(file) cannot be read: \(reason)."
        case .missingColumns(let columns, let file):
            "\(file) lacks \(columns.count == 1 ? "the column" : "the columns") \(columns.joined(separator: ", "))."
        case .malformed(let file, let line, let detail): "\(file), line \(line): \(detail)."
        }
    }
}
