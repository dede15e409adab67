import SeededRandom

/// Texts with the characters that encodings trip over.
enum RandomText {
    static func make(using random: inout SplitMix64, length: ClosedRange<Int> = 0...12) -> String {
        let characters = Array("aZ09-._~ +&=%/?#;:@!$'()*,[]{}\"\\<>|^`äß語🦘\u{301}\n\t")
        return String(
            (0..<Int.random(in: length, using: &random)).map { _ in
                characters[Int.random(in: characters.indices, using: &random)]
            })
    }
}
