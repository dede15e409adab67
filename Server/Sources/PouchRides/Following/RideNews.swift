import Foundation
import PouchDomain

/// What a follower of a ride has not seen yet.
public struct RideNews: Sendable {
    /// In their order; empty when there is nothing new.
    public let events: [Data]
    /// What it has seen afterwards.
    public let cursor: RideCursor
    /// Whether it is time for a sign of life.
    public let isBeat: Bool
    /// Whether nothing will follow.
    public let isLast: Bool
}

/// How much of a ride somebody has seen.
public struct RideCursor: Sendable, Equatable {
    /// So many statuses; nil for who comes anew.
    let statuses: Int?
    let positions: Int
    /// nil for who has just come.
    let beats: Int?

    /// - Parameter statuses: the id of the last event that an earlier stream gave; nil for a new one, which begins with how
    ///   things stand.
    public init(statuses: Int?) {
        self.init(statuses: statuses, positions: 0, beats: nil)
    }

    init(statuses: Int?, positions: Int, beats: Int?) {
        self.statuses = statuses
        self.positions = positions
        self.beats = beats
    }

    /// Whether there is nothing that the ride could still tell.
    public func isAtEnd(of ride: RideRecord) -> Bool { ride.dueAt == nil && statuses == ride.history.count }
}

/// How what is new about a ride is told, in bytes.
public protocol RideNewsWriter: Sendable {
    /// - Parameter number: of the ride's statuses up to the one that is told, from 1.
    func status(_ ride: RideRecord, number: Int, at now: Date) throws -> Data
    func position(_ ride: RideRecord, at now: Date) throws -> Data
}
