import Foundation

/// What to say of a write of which it is not known whether it had its effect.
struct Doubt: Sendable {
    let title: String
    /// What happens next, or what to do.
    let advice: String

    func message(about error: any LocalizedError) -> ErrorMessage {
        let sentences = [error.errorDescription, advice].compactMap { $0 }
        return ErrorMessage(title: title, message: sentences.joined(separator: " "))
    }
}
