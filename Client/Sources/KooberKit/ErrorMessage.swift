import Foundation

/// An error as people read it. The repositories throw nothing else.
///
/// Each has an identity of its own, so that the same text is shown again when it occurs again.
public struct ErrorMessage: Error, Hashable, Sendable, Identifiable {
    public let id: UUID
    public let title: String
    /// One or two sentences: what happened and what to do next.
    public let message: String

    public init(id: UUID = UUID(), title: String, message: String) {
        self.id = id
        self.title = title
        self.message = message
    }

    /// For calls that fail only with an `ErrorMessage` but whose signature says `any Error`.
    public init(_ error: any Error) {
        self.init(title: "Something went wrong", error)
    }

    /// Takes the message from the error's description and recovery suggestion. An `ErrorMessage` is copied whole.
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
