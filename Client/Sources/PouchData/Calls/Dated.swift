import Foundation
import PouchService

/// A value with its age, and why it is not current where it is not.
///
///     let page = try await data.products(ProductQuery())
///     if page.failure != nil { showOffline(asOf: page.asOf) }
///
/// A value that may still be unknown is a `Dated<Value?>`.
@dynamicMemberLookup
public struct Dated<Value: Sendable>: Sendable {
    public let value: Value
    /// The time at which the shop gave the value or last confirmed it; nil where it is unknown, and for an answer that
    /// the server has just given.
    public let asOf: Date?
    /// The reason why the value could not be refreshed; nil for a current value, and for a stored value that has not
    /// been refreshed yet.
    public let failure: DataError?
    /// The rows of a list that the shop gave and that could not be read: the value lacks them. Empty where the value was
    /// read from the local store.
    public let unreadable: [RowReport]

    public init(_ value: Value, asOf: Date? = nil, failure: DataError? = nil, unreadable: [RowReport] = []) {
        self.value = value
        self.asOf = asOf
        self.failure = failure
        self.unreadable = unreadable
    }

    init(_ value: Value, from answer: ServiceAnswer, unreadable: [RowReport] = []) {
        self.init(
            value, asOf: answer.staleness?.asOf, failure: (answer.staleness?.cause).map(DataError.init),
            unreadable: unreadable)
    }

    /// The transformed value, as old as this one.
    public func map<Other, Failure>(_ transform: (Value) throws(Failure) -> Other) throws(Failure) -> Dated<Other> {
        Dated<Other>(try transform(value), asOf: asOf, failure: failure, unreadable: unreadable)
    }

    /// The items of this part of a list and of the next one: as old as the first part that is not current.
    package func appending<Item>(_ next: Dated<[Item]>) -> Dated where Value == [Item] {
        let oldest = failure == nil ? next : self
        return Dated(
            value + next.value, asOf: oldest.asOf, failure: oldest.failure, unreadable: unreadable + next.unreadable)
    }

    public subscript<Member>(dynamicMember member: KeyPath<Value, Member>) -> Member { value[keyPath: member] }
}

extension Dated: Equatable where Value: Equatable {}
