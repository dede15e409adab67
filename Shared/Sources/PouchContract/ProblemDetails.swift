import PouchEntities
import PouchWire

/// A problem with the members that some codes add to it.
public struct ProblemDetails: Codable, Sendable, Equatable {
    public let problem: Problem
    /// With `payment_declined`: the provider's reason.
    public let declineCode: String?
    /// With `out_of_stock`: what is short.
    public let lines: [StockShortfall]?
    /// With `price_changed`: what differs from what the buyer saw.
    public let changes: [CartChange]?

    public init(
        _ problem: Problem,
        declineCode: String? = nil,
        lines: [StockShortfall]? = nil,
        changes: [CartChange]? = nil
    ) {
        self.problem = problem
        self.declineCode = declineCode
        self.lines = lines
        self.changes = changes
    }

    private enum CodingKeys: CodingKey {
        case declineCode, lines, changes
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try Problem(from: decoder),
            declineCode: try container.decodeIfPresent(String.self, forKey: .declineCode),
            lines: try container.decodeIfPresent([StockShortfall].self, forKey: .lines),
            changes: try container.decodeIfPresent([CartChange].self, forKey: .changes)
        )
    }

    public func encode(to encoder: any Encoder) throws {
        try problem.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encodeIfPresent(declineCode, forKey: .declineCode)
        try container.encodeIfPresent(lines, forKey: .lines)
        try container.encodeIfPresent(changes, forKey: .changes)
    }
}
