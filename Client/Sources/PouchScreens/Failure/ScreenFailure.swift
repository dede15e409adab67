import Foundation

/// Why something did not work, for people, with what they can do.
public struct ScreenFailure: Error, Sendable, Hashable {
    /// What the screen offers beside the text.
    public enum Remedy: Sendable, Hashable {
        /// The same may work when it is tried again.
        case retry
        /// To sign in, or in again.
        case signIn
        /// To change what was entered; `fields` says what.
        case correct
        /// To look at what has changed, and decide anew; the screen's data are the new ones already.
        case review
        /// Nothing that a screen could offer.
        case none
    }

    /// A field that was not accepted.
    public struct Field: Sendable, Hashable {
        /// Its path in what was sent, as in `address.city` or `email`.
        public let name: String
        /// One sentence.
        public let text: String

        public init(name: String, text: String) {
            self.name = name
            self.text = text
        }
    }

    /// What happened, in one sentence.
    public let text: String
    /// What to do about it, in one sentence.
    public let advice: String?
    public let remedy: Remedy
    public let fields: [Field]

    public init(_ text: String, advice: String? = nil, remedy: Remedy = .none, fields: [Field] = []) {
        self.text = text
        self.advice = advice
        self.remedy = remedy
        self.fields = fields
    }
}

extension ScreenFailure: LocalizedError {
    public var errorDescription: String? { text }
    public var recoverySuggestion: String? { advice }
}
