/// The good answer of the health checks.
public struct Health: Codable, Sendable, Equatable {
    public enum Status: String, Codable, Sendable, CaseIterable {
        /// The process runs.
        case live
        /// The database can be reached.
        case ready
    }

    public let status: Status

    public init(_ status: Status) {
        self.status = status
    }
}
