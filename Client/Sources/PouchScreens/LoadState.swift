import Foundation
import PouchCoordination

/// A value that has to be loaded. It can be shown while it is reloaded, and remains if that fails.
public struct LoadState<Value: Sendable>: Sendable {
    public var value: Value?
    public var isLoading: Bool
    /// The reason why the last attempt failed; nil after a successful one.
    public var failure: ScreenFailure?
    /// The time of a value that may be out of date, for example while offline; nil for a current one.
    public var asOf: Date?

    public init(_ value: Value? = nil, isLoading: Bool = false, failure: ScreenFailure? = nil, asOf: Date? = nil) {
        self.value = value
        self.isLoading = isLoading
        self.failure = failure
        self.asOf = asOf
    }

    public static var loading: LoadState { LoadState(isLoading: true) }

    /// Starts an attempt. The value remains.
    public mutating func startLoading() {
        isLoading = true
        failure = nil
    }

    /// Ends the attempt with a failure. The value remains.
    public mutating func fail(_ failure: ScreenFailure) {
        isLoading = false
        self.failure = failure
    }
}

extension LoadState: Equatable where Value: Equatable {}

/// An error as shown to the user, with the user's next step.
public struct ScreenFailure: Error, Sendable, Hashable {
    /// The action that the screen offers.
    public enum Remedy: Sendable, Hashable {
        /// Try again: the same action may succeed.
        case retry
        /// Sign in, possibly again.
        case signIn
        /// Correct the input; see `fields`.
        case correct
        /// Review what has changed and decide again. The screen already has the new data.
        case review
        /// The screen cannot offer anything.
        case none
    }

    /// A field that was rejected.
    public struct Field: Sendable, Hashable {
        /// The path in the request, such as `address.city` or `email`.
        public let name: String
        /// A sentence for the user.
        public let text: String

        public init(name: String, text: String) {
            self.name = name
            self.text = text
        }
    }

    /// A sentence about what happened.
    public let text: String
    /// A sentence about what to do next.
    public let advice: String?
    public let remedy: Remedy
    public let fields: [Field]

    public init(_ text: String, advice: String? = nil, remedy: Remedy = .none, fields: [Field] = []) {
        self.text = text
        self.advice = advice
        self.remedy = remedy
        self.fields = fields
    }

    /// The failure to show for an error of `send`; nil if there is nothing to show, because the screen cancelled the
    /// message or is about to disappear.
    public init?(showing error: any Error) {
        switch error {
        case let failure as ScreenFailure: self = failure
        case UndeliveredMessage.queueFull:
            self.init("The shop is still starting.", advice: "Try again in a moment.", remedy: .retry)
        case is UndeliveredMessage, is CancellationError: return nil
        case is UnhandledMessage: self.init("This action is not available here.")
        case let error as any LocalizedError:
            self.init(error.errorDescription ?? "Something went wrong.", advice: error.recoverySuggestion)
        default: self.init("Something went wrong.")
        }
    }
}

extension ScreenFailure: LocalizedError {
    public var errorDescription: String? { text }
    public var recoverySuggestion: String? { advice }
}
