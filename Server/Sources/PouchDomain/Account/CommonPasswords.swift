/// The passwords that guessers try first.
enum CommonPasswords {
    /// Words that are common with 8 letters or more by themselves, or with digits and signs after them.
    private static let words: Set<String> = [
        "abc", "abcd", "admin", "administrator", "asdf", "baseball", "batman", "changeme", "charlie", "computer",
        "demo",
        "dragon", "flower", "football", "freedom", "guest", "hello", "hunter", "iloveyou", "internet", "jennifer",
        "jordan", "letmein", "login", "lovely", "master", "michael", "michelle", "monkey", "mustang", "nothing", "pass",
        "passwort", "password", "pokemon", "pouch", "princess", "qwer", "qwert", "qwerty", "root", "samsung", "secret",
        "shadow", "starwars", "summer", "sunshine", "superman", "test", "trustno", "user", "welcome",
        "winter",
    ]
    private static let rows = [
        "01234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "zxcvbnm",
        "1q2w3e4r5t6y7u8i9o0p", "1qaz2wsx3edc4rfv5tgb", "q1w2e3r4t5y6u7i8o9p0",
    ]
    private static let substitutes: [Character: Character] = [
        "0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "!": "i",
    ]

    /// Whether the password is one or two of the words with up to four digits or signs, a sequence of the alphabet or
    /// the keyboard, or a repetition of up to four characters.
    static func contain(_ password: String) -> Bool {
        let text = password.lowercased()
        return isRepetition(text) || isSequence(text) || isWord(text)
    }

    private static func isRepetition(_ text: String) -> Bool {
        (1...4).contains { length in
            let part = text.prefix(length)
            return text.enumerated().allSatisfy { index, character in
                character == part[part.index(part.startIndex, offsetBy: index % part.count)]
            }
        }
    }

    private static func isSequence(_ text: String) -> Bool {
        rows.contains { $0.contains(text) || String($0.reversed()).contains(text) }
    }

    private static func isWord(_ text: String) -> Bool {
        (0...4).contains { ending in
            let rest = text.suffix(ending)
            guard rest.allSatisfy({ !$0.isLetter }) else { return false }
            let start = String(text.dropLast(ending))
            return isWords(start) || isWords(String(start.map { substitutes[$0] ?? $0 }))
        }
    }

    private static func isWords(_ text: String) -> Bool {
        if words.contains(text) { return true }
        return text.indices.dropFirst().contains { index in
            words.contains(String(text[..<index])) && words.contains(String(text[index...]))
        }
    }
}
