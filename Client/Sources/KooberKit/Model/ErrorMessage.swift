import Foundation

/// What a user is told of something that did not work.
///
/// Each has an identity of its own, so that the same text that comes twice is shown twice.
public struct ErrorMessage: Error, Hashable, Sendable, Identifiable {
    public let id: UUID
    public let title: String
    /// One or two sentences: what happened, and what to do.
    public let message: String

    public init(id: UUID = UUID(), title: String, message: String) {
        self.id = id
        self.title = title
        self.message = message
    }

    /// Of what fails with an `ErrorMessage` only, where the compiler does not know that.
    public init(_ error: any Error) {
        self.init(title: "Something went wrong", error)
    }

    /// With what the error says for people; an `ErrorMessage` stays as it is.
    public init(title: String, _ error: any Error) {
        if let error = error as? ErrorMessage {
            self = error
            return
        }
        let described = error as? any LocalizedError
        let sentences = [described?.errorDescription, described?.recoverySuggestion].compactMap { $0 }
        self.init(title: title, message: sentences.isEmpty ? "Please try again." : sentences.joined(separator: " "))
    }
}
