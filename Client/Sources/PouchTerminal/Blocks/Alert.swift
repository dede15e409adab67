/// Something that has to be answered before anything else is done.
@MainActor
public struct Alert {
    public struct Choice {
        let keys: [Key]
        /// What the last row of the screen says of it.
        public let hint: (key: String, meaning: String)
        let choose: @MainActor () -> Void

        /// - Parameter label: the keys as they are named on the screen.
        public init(keys: [Key], label: String, meaning: String, choose: @escaping @MainActor () -> Void) {
            self.keys = keys
            hint = (label, meaning)
            self.choose = choose
        }
    }

    private let text: [StyledText]
    private let style: Style
    public let choices: [Choice]

    /// - Parameter style: of the frame.
    public init(text: [StyledText], style: Style, choices: [Choice]) {
        self.text = text
        self.style = style
        self.choices = choices
    }

    public var block: any Block { Box(style: style, Stack(text.map { Paragraph($0) })) }

    /// Does what the key stands for, if it is one of the choices.
    public func press(_ key: Key) {
        choices.first { $0.keys.contains(key) }?.choose()
    }
}
