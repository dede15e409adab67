import Foundation
import PouchEntities

/// The rules for the values of an account.
public enum AccountRules {
    /// The form in which an account is looked up, even for an account that is older than the rules of `EmailAddress`;
    /// empty for a text that no account can have.
    public static func lookupEmail(_ email: String) -> String {
        let email = email.trimmingCharacters(in: .whitespaces).lowercased()
        let isKept =
            ModelLimits.emailLength.contains(email.unicodeScalars.count)
            && email.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        return isKept ? EmailAddress.normalized(email) ?? email : ""
    }

    /// The form of `lookupEmail`, for an address that can receive e-mail.
    ///
    /// - Throws: `DomainError.invalid` for an address that no e-mail can reach.
    static func reachableEmail(_ email: String) throws(DomainError) -> String {
        let email = lookupEmail(email)
        guard EmailAddress(email) != nil else { throw .invalid([invalidEmail]) }
        return email
    }

    static let invalidEmail = InvalidField("email", .invalid, "Enter an e-mail address such as name@example.com.")

    /// The normalized form of an e-mail address.
    ///
    /// - Throws: `DomainError.invalid`.
    static func checkedEmail(_ email: String) throws(DomainError) -> String {
        guard let email = EmailAddress.normalized(email) else { throw .invalid([invalidEmail]) }
        return email
    }

    /// The form in which a person's name is stored.
    static func trimmedName(_ name: String) -> String { name.trimmingCharacters(in: .whitespacesAndNewlines) }

    static func problems(name: String) -> [InvalidField] { text("name", name) }

    /// - Parameter allowsCommon: whether the password may be one that attackers try first.
    static func problems(password: String, field: String = "password", allowsCommon: Bool = false) -> [InvalidField] {
        let range = ModelLimits.passwordLength
        guard range.contains(password.unicodeScalars.count) else {
            let detail = "The password must have \(range.lowerBound) to \(range.upperBound) characters."
            return [InvalidField(field, .outOfRange, detail)]
        }
        guard allowsCommon || !CommonPasswords.contains(password) else {
            return [InvalidField(field, .invalid, "This password is too common. Choose one that is hard to guess.")]
        }
        return []
    }

    static func problems(mobileNumber: String?) -> [InvalidField] {
        guard let mobileNumber else { return [] }
        let digits = mobileNumber.filter(\.isWholeNumber).count
        guard (4...15).contains(digits), mobileNumber.unicodeScalars.count <= 30,
            mobileNumber.allSatisfy({ $0.isWholeNumber || "+-() .".contains($0) })
        else { return [InvalidField("mobileNumber", .invalid, "Enter a valid phone number.")] }
        return []
    }

    static func problems(avatarURL: String?) -> [InvalidField] {
        guard let avatarURL else { return [] }
        guard avatarURL.utf8.count <= 2_000, let url = URL(string: avatarURL), url.host() != nil,
            url.scheme == "https" || url.scheme == "http"
        else { return [InvalidField("avatarURL", .invalid, "Enter an http or https URL.")] }
        return []
    }

    /// The problems of an address in any shop. Their field names start with the prefix.
    static func problems(_ address: Address, prefix: String) -> [InvalidField] {
        var problems = text(prefix + "name", address.name) + text(prefix + "line1", address.line1)
        if !address.city.isEmpty || Country.needsCity(address.country) {
            problems += needed(prefix + "city", address.city)
        }
        if !address.postalCode.isEmpty || Country.needsPostalCode(address.country) {
            problems += needed(prefix + "postalCode", address.postalCode)
        }
        for (field, value) in [("line2", address.line2), ("region", address.region), ("phone", address.phone)] {
            if let value { problems += text(prefix + field, value) }
        }
        if !Country.codes.contains(address.country) {
            let detail = "The country must be a two-letter ISO 3166-1 code in capital letters, such as DE."
            problems.add(prefix + "country", .invalid, detail)
        }
        if let location = address.location,
            !(-90...90).contains(location.latitude) || !(-180...180).contains(location.longitude)
        {
            let detail = "Latitude must be from -90 to 90, and longitude from -180 to 180."
            problems.add(prefix + "location", .outOfRange, detail)
        }
        return problems
    }

    /// The problems of a required text.
    static func needed(_ field: String, _ value: String) -> [InvalidField] {
        value.isEmpty ? [InvalidField(field, .required, "\(field) is missing.")] : text(field, value)
    }

    static func text(_ field: String, _ value: String) -> [InvalidField] {
        InvalidField.text(field, value, length: ModelLimits.textLength)
    }
}

extension [InvalidField] {
    package mutating func add(_ field: String, _ reason: InvalidField.Reason, _ detail: String) {
        append(InvalidField(field, reason, detail))
    }

    /// - Throws: `DomainError.invalid` if there are problems.
    package func check() throws(DomainError) {
        guard isEmpty else { throw .invalid(self) }
    }
}

/// The passwords that attackers try first.
enum CommonPasswords {
    /// Words that attackers try alone, in pairs, or with up to eight digits or signs before or after them.
    private static let words: Set<String> = [
        "abc", "abcd", "admin", "administrator", "asdf", "baseball", "batman", "changeme", "charlie", "computer",
        "demo", "dragon", "flower", "football", "freedom", "guest", "hello", "hunter", "iloveyou", "internet",
        "jennifer", "jordan", "letmein", "login", "lovely", "master", "michael", "michelle", "monkey", "mustang",
        "nothing", "pass", "password", "passwort", "pokemon", "pouch", "princess", "qwer", "qwert", "root", "samsung",
        "secret", "shadow", "starwars", "summer", "sunshine", "superman", "test", "trustno", "user", "welcome",
        "winter",
    ]
    private static let rows = [
        "01234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "zxcvbnm",
        "1q2w3e4r5t6y7u8i9o0p", "1qaz2wsx3edc4rfv5tgb", "q1w2e3r4t5y6u7i8o9p0", "zaq12wsxcde34rfv",
    ].flatMap { [$0, String($0.reversed())] }
    private static let substitutes: [Character: Character] = [
        "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "!": "i",
    ]

    /// Whether the password is one or two of the words, or a sequence of the alphabet or the keyboard, with up to eight
    /// digits or signs before or after; or a repetition of up to four characters.
    static func contains(_ password: String) -> Bool {
        let text = password.lowercased()
        return isRepetition(text) || isSequence(text)
            || (0...8).contains { added in
                isGuess(text.dropLast(added), without: text.suffix(added))
                    || isGuess(text.dropFirst(added), without: text.prefix(added))
            }
    }

    private static func isRepetition(_ text: String) -> Bool {
        (1...4).contains { length in
            let part = Array(text.prefix(length))
            return text.enumerated().allSatisfy { index, character in character == part[index % part.count] }
        }
    }

    private static func isSequence(_ text: some StringProtocol) -> Bool {
        text.count >= 4 && rows.contains { $0.contains(text) }
    }

    private static func isGuess(_ rest: Substring, without added: Substring) -> Bool {
        guard added.allSatisfy({ !$0.isLetter }) else { return false }
        return isSequence(rest) || isWords(String(rest)) || isWords(String(rest.map { substitutes[$0] ?? $0 }))
    }

    private static func isWords(_ text: String) -> Bool {
        if words.contains(text) { return true }
        return text.indices.dropFirst().contains { index in
            words.contains(String(text[..<index])) && words.contains(String(text[index...]))
        }
    }
}
