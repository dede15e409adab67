import Foundation

/// Something that was read, with whether it may have changed since.
@dynamicMemberLookup
public struct Dated<Value: Sendable>: Sendable {
    public let value: Value
    /// nil for what the shop says now.
    public let staleness: Staleness?

    public init(_ value: Value, staleness: Staleness? = nil) {
        self.value = value
        self.staleness = staleness
    }

    public subscript<Member>(dynamicMember member: KeyPath<Value, Member>) -> Member { value[keyPath: member] }
}

extension Dated: Equatable where Value: Equatable {}

/// From when something is that could not be read anew.
public struct Staleness: Sendable, Equatable {
    /// When the shop said so, or last said that it still holds; nil where that is not known.
    public let asOf: Date?
    /// What kept it from being read anew.
    public let cause: DataError

    public init(asOf: Date?, cause: DataError) {
        self.asOf = asOf
        self.cause = cause
    }
}
