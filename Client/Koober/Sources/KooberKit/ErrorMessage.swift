import Foundation
import KooberTexts
import PouchManagers

/// An error as shown to the user. The model layer throws nothing else.
///
/// Each has its own identity, so that the same text is shown again when it occurs again.
public struct ErrorMessage: Error, Codable, Hashable, Sendable, Identifiable {
    public let id: UUID
    public let title: Phrase
    /// The problem, and the user's next step.
    public let message: Phrase
    /// The problem of each field of a form that has one; empty unless the input is wrong.
    public let fields: [FormField: Phrase]

    public init(id: UUID = UUID(), title: Phrase, message: Phrase, fields: [FormField: Phrase] = [:]) {
        self.id = id
        self.title = title
        self.message = message
        self.fields = fields
    }

    /// For calls that fail only with an `ErrorMessage` but whose signature says `any Error`.
    public init(_ error: any Error) {
        self = error as? ErrorMessage ?? ErrorMessage(title: .somethingWentWrong, message: .tryAgain)
    }

    /// - Parameter advice: replaces the advice of the error.
    init(title: Phrase, _ error: DataError, advice: Phrase? = nil) {
        self.init(
            title: title, message: advice.map { .sentences([Phrase(error), $0]) } ?? Phrase(error), fields: error.fields
        )
    }
}

/// A field of the forms for signing in and up, in the order in which they are filled in.
public enum FormField: String, CaseIterable, Codable, Comparable, Hashable, Sendable {
    case name, email, mobileNumber, password

    public static func < (one: FormField, other: FormField) -> Bool {
        allCases.prefix { $0 != other }.contains(one)
    }
}

extension DataError {
    fileprivate var fields: [FormField: Phrase] {
        guard case .validation(let invalid) = reason else { return [:] }
        let known = invalid.compactMap { field in
            FormField(rawValue: field.field).map { ($0, Phrase.verbatim(field.detail)) }
        }
        return Dictionary(known) { first, _ in first }
    }
}

extension Phrase {
    /// For errors that Koober does not expect, the text of the service is used.
    fileprivate init(_ error: DataError) {
        self =
            switch error.reason {
            case .invalidCredentials: .wrongCredentials
            case .emailTaken: .emailTaken
            case .tooManyAttempts(let wait): .tooManyAttempts(seconds: wait.map { Int($0.components.seconds) })
            case .busy(let wait), .stillRunning(let wait): .serverBusy(seconds: wait.map { Int($0.components.seconds) })
            case .notSignedIn: .notSignedIn
            case .sessionEnded: .sessionEnded
            case .forbidden: .forbidden
            case .notFound: .notFound
            case .rideInProgress: .rideInProgress
            case .quoteExpired, .quoteMismatch: .quoteExpired
            case .notCancellable: .notCancellable
            case .unreachable, .connectionLost: .unreachable
            case .untrustedServer: .untrustedServer
            case .noTLS, .noHTTP, .invalidAddress: .wrongProtocol
            case .timedOut: .timedOut
            case .serverFailed: .serverFailed
            case .unreadableAnswer: .unreadableAnswer
            case .sessionStorage, .localStore: .deviceStorage
            default:
                .sentences([error.errorDescription, error.recoverySuggestion].compactMap { $0 }.map(Phrase.verbatim))
            }
    }
}
