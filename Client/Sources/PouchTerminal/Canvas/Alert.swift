/// A message that receives all keys until one of its choices is made.
@MainActor
public struct Alert {
    public struct Choice {
        let keys: [Key]
        /// The choice in the last row of the screen.
        public let hint: KeyHint
        let choose: @MainActor () -> Void

        /// - Parameter label: the name of the keys on the screen.
        public init(keys: [Key], label: String, meaning: String, choose: @escaping @MainActor () -> Void) {
            self.keys = keys
            hint = (label, meaning)
            self.choose = choose
        }
    }

    private let text: [StyledText]
    private let style: Style
    public let choices: [Choice]

    /// - Parameter style: the style of the frame.
    public init(text: [StyledText], style: Style, choices: [Choice]) {
        self.text = text
        self.style = style
        self.choices = choices
    }

    /// A question before an action that is easy to start by mistake.
    ///
    /// - Parameters:
    ///   - yes: the effect of confirming, for example "remove".
    ///   - no: the effect of Esc, for example "stay".
    ///   - isFinal: whether the action cannot be undone. Enter, which is easily pressed twice, then does not confirm.
    ///   - answer: called with whether the user confirmed.
    public static func question(
        _ text: String, yes: String, no: String, isFinal: Bool = false, answer: @escaping @MainActor (Bool) -> Void
    ) -> Alert {
        Alert(
            text: [StyledText(text, .bold)], style: .yellow,
            choices: [
                Choice(
                    keys: isFinal ? [.character("y")] : [.enter, .character("y")], label: isFinal ? "y" : "Enter",
                    meaning: yes
                ) { answer(true) },
                Choice(keys: [.escape, .character("n")], label: "Esc", meaning: no) { answer(false) },
            ])
    }

    public var block: any Block { Box(style: style, Stack(text.map { Paragraph($0) })) }

    /// Makes the choice that has the key, if any.
    public func press(_ key: Key) {
        choices.first { $0.keys.contains(key) }?.choose()
    }
}
