import Foundation
import PouchData

/// A part of the catalogue as it is known, for those who follow it.
public struct CatalogState<Value: Sendable>: Sendable {
    /// nil while nothing is known.
    public let value: Value?
    /// When the shop said so; nil where that is not known.
    public let asOf: Date?
    /// Why the last refresh brought nothing; nil after one that did. It is tried again by itself while somebody follows.
    public let failure: DataError?

    public init(value: Value? = nil, asOf: Date? = nil, failure: DataError? = nil) {
        self.value = value
        self.asOf = asOf
        self.failure = failure
    }
}

extension CatalogState: Equatable where Value: Equatable {}
