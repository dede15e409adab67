/// A collection within a season.
public struct Theme: Codable, Sendable, Hashable, Identifiable {
    public let id: String
    public let name: String
    public let seasonId: String

    public init(id: String, name: String, seasonId: String) {
        self.id = id
        self.name = name
        self.seasonId = seasonId
    }
}
