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

    public init(_ value: Value, asOf: Date? = nil, failure: DataError? = nil) {
        self.value = value
        self.asOf = asOf
        self.failure = failure
    }

    init(_ value: Value, from answer: ServiceAnswer) {
        self.init(value, asOf: answer.staleness?.asOf, failure: (answer.staleness?.cause).map(DataError.init))
    }

    /// The transformed value, as old as this one.
    public func map<Other, Failure>(_ transform: (Value) throws(Failure) -> Other) throws(Failure) -> Dated<Other> {
        Dated<Other>(try transform(value), asOf: asOf, failure: failure)
    }

    public subscript<Member>(dynamicMember member: KeyPath<Value, Member>) -> Member { value[keyPath: member] }
}

extension Dated: Equatable where Value: Equatable {}
