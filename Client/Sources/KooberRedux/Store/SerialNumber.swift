import KooberKit

/// Identifies a scope, a request or an error. Later ones have greater numbers.
///
/// An answer counts only while the state holds the number of its request, and an action only while the state holds the
/// number of its scope. Late answers therefore change nothing.
public struct SerialNumber: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let value: Int

    public init(_ value: Int) {
        self.value = value
    }

    public static func < (one: SerialNumber, other: SerialNumber) -> Bool {
        one.value < other.value
    }

    public var description: String { "#\(value)" }
}

/// An error that the user has not acknowledged. It lies in the state of its feature, and ends with that state.
public struct ErrorToPresent: Equatable, Sendable, Identifiable {
    /// Errors are shown in the order of their numbers, whichever feature they belong to.
    public let id: SerialNumber
    public let message: ErrorMessage

    public init(id: SerialNumber, message: ErrorMessage) {
        self.id = id
        self.message = message
    }
}

extension ActionDispatcher {
    /// Returns the error with the next serial number.
    func numbered(_ message: ErrorMessage) -> ErrorToPresent {
        ErrorToPresent(id: nextSerialNumber(), message: message)
    }
}
