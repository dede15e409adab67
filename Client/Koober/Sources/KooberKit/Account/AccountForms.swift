import Foundation
import KooberTexts
import PouchEntities

/// The complete input of the sign-in form. Spaces around the e-mail address are removed.
public struct Credentials: Sendable, Hashable {
    public let email: String
    public let password: Secret

    /// - Throws: an error with the problem of each empty field.
    public init(email: String, password: Secret) throws(ErrorMessage) {
        self.email = email.trimmed
        self.password = password
        try refuse(
            [.email: self.email.isEmpty ? .emailMissing : nil, .password: password.isEmpty ? .passwordMissing : nil],
            title: .signInFailed)
    }
}

/// The complete input of the sign-up form. Spaces around each field except the password are removed.
public struct NewAccount: Sendable, Hashable {
    public let name: String
    public let email: String
    /// May be empty.
    public let mobileNumber: String
    public let password: Secret

    /// - Throws: an error with the problem of each empty field. The service checks the rest.
    public init(name: String, email: String, mobileNumber: String, password: Secret) throws(ErrorMessage) {
        self.name = name.trimmed
        self.email = email.trimmed
        self.mobileNumber = mobileNumber.trimmed
        self.password = password
        try refuse(
            [
                .name: self.name.isEmpty ? .nameMissing : nil, .email: self.email.isEmpty ? .emailMissing : nil,
                .password: password.isEmpty ? .passwordMissing : nil,
            ], title: .signUpFailed)
    }
}

extension String {
    fileprivate var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}

/// - Parameter problems: the problem of each field, or nil.
private func refuse(_ problems: [FormField: Phrase?], title: Phrase) throws(ErrorMessage) {
    let problems = problems.compactMapValues { $0 }
    guard !problems.isEmpty else { return }
    let sentences = problems.sorted { $0.key < $1.key }.map(\.value)
    throw ErrorMessage(title: title, message: .sentences(sentences), fields: problems)
}
