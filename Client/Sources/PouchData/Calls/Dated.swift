import Foundation
import PouchService

/// A value with its age and, if it is not current, the reason.
///
///     let page = try await data.products(ProductQuery())
///     if page.failure != nil { showOffline(asOf: page.asOf) }
///
/// A value that may still be unknown is a `Dated<Value?>`.
@dynamicMemberLookup
public struct Dated<Value: Sendable>: Sendable {
    public let value: Value
    /// The time at which the shop returned the value or last confirmed it; nil if unknown, and for a response that has
    /// just arrived.
    public let asOf: Date?
    /// The reason why the value could not be refreshed; nil for a current value, and for a stored value that has not
    /// been refreshed yet.
    public let failure: DataError?
    /// The rows of the shop's list that could not be read and are missing from the value. Empty if the value was read
    /// from the local store.
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

    /// The transformed value, with the age of this one.
    public func map<Other, Failure>(_ transform: (Value) throws(Failure) -> Other) throws(Failure) -> Dated<Other> {
        Dated<Other>(try transform(value), asOf: asOf, failure: failure, unreadable: unreadable)
    }

    /// The items of this part of a list and of the next one, with the age of the first part that is not current.
    package func appending<Item>(_ next: Dated<[Item]>) -> Dated where Value == [Item] {
        let oldest = failure == nil ? next : self
        return Dated(
            value + next.value, asOf: oldest.asOf, failure: oldest.failure, unreadable: unreadable + next.unreadable)
    }

    public subscript<Member>(dynamicMember member: KeyPath<Value, Member>) -> Member { value[keyPath: member] }
}

extension Dated: Equatable where Value: Equatable {}
