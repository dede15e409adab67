import PouchTemplates

struct StyleguideValues: PageModel {
    /// A token of `tokens.css`.
    struct Token: TemplateValues {
        let token: String
    }

    struct Space: TemplateValues {
        let token: String
        let pixels: Int
    }

    let swatches, sizes: [Token]
    /// The sample text for each size.
    let text: String
    let spaces: [Space]
}

/// The page with all parts of the design, for developers and designers. The names of colours and sizes are from `tokens.css`.
enum StyleguidePage {
    private static let colours = [
        "paper", "surface", "sunken", "line", "line-strong", "ink", "ink-soft", "accent", "accent-strong",
        "accent-soft",
        "good", "good-soft", "warn", "warn-soft", "bad", "bad-soft",
    ]
    private static let sizes = ["xs", "s", "m", "l", "xl", "2xl", "3xl"]
    private static let spaces = [4, 8, 12, 16, 24, 36, 56, 88]

    static var content: PageContent {
        let values = StyleguideValues(
            swatches: colours.map { .init(token: $0) }, sizes: sizes.map { .init(token: $0) },
            text: "The quick kangaroo jumps",
            spaces: spaces.enumerated().map { .init(token: String($0 + 1), pixels: $1) })
        return PageContent(values, title: "Style guide")
    }
}
