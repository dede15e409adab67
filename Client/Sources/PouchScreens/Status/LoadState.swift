import Foundation

/// Something that has to be fetched, and how far that has come.
///
/// Value, loading and failure go together: a list may be shown while it is read anew, and stays when that fails.
public struct LoadState<Value: Sendable>: Sendable {
    public var value: Value?
    public var isLoading: Bool
    /// Why the last attempt failed; nil after one that went well.
    public var failure: ScreenFailure?
    /// When the value was read, where it is not known to be current, as offline; else nil.
    public var asOf: Date?

    public init(_ value: Value? = nil, isLoading: Bool = false, failure: ScreenFailure? = nil, asOf: Date? = nil) {
        self.value = value
        self.isLoading = isLoading
        self.failure = failure
        self.asOf = asOf
    }

    public static var loading: LoadState { LoadState(isLoading: true) }

    /// An attempt begins; what is shown stays.
    public mutating func begin() {
        isLoading = true
        failure = nil
    }

    /// The attempt failed; what is shown stays.
    public mutating func fail(_ failure: ScreenFailure) {
        isLoading = false
        self.failure = failure
    }
}

extension LoadState: Equatable where Value: Equatable {}
