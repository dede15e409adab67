import PouchTerminal

/// Something that has to be answered before anything else is done.
@MainActor
struct Alert {
    struct Choice {
        let keys: [Key]
        /// The keys as they are named on the screen.
        let label: String
        let meaning: String
        let choose: @MainActor () -> Void
    }

    let text: [StyledText]
    let style: Style
    let choices: [Choice]

    var block: any Block { Box(style: style, Stack(text.map { Paragraph($0) })) }
}
