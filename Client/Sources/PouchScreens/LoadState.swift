import Foundation

/// A value that has to be loaded. It can be shown while it is loaded again, and stays when that fails.
public struct LoadState<Value: Sendable>: Sendable {
    public var value: Value?
    public var isLoading: Bool
    /// Why the last attempt failed; nil after a successful one.
    public var failure: ScreenFailure?
    /// The time of a value that may be out of date, as while offline; nil for a current one.
    public var asOf: Date?

    public init(_ value: Value? = nil, isLoading: Bool = false, failure: ScreenFailure? = nil, asOf: Date? = nil) {
        self.value = value
        self.isLoading = isLoading
        self.failure = failure
        self.asOf = asOf
    }

    public static var loading: LoadState { LoadState(isLoading: true) }

    public mutating func startLoading() {
        isLoading = true
        failure = nil
    }

    public mutating func fail(_ failure: ScreenFailure) {
        isLoading = false
        self.failure = failure
    }
}

extension LoadState: Equatable where Value: Equatable {}
