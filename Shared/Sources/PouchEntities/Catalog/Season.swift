import Foundation

/// A part of the shop's year; products belong to at most one.
public struct Season: Codable, Sendable, Hashable, Identifiable {
    public let id: String
    public let name: String
    public let startsAt: Date?
    public let endsAt: Date?

    public init(id: String, name: String, startsAt: Date? = nil, endsAt: Date? = nil) {
        self.id = id
        self.name = name
        self.startsAt = startsAt
        self.endsAt = endsAt
    }
}
