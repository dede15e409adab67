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
