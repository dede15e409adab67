import Hummingbird

extension PageRoutes {
    /// All parts of the design, for those who work on it.
    func addStyleguide() {
        guard site.settings.showsStyleguide else { return }
        admin("/admin/styleguide", nil) { _ in StyleguidePage.content }
    }
}

/// Makes the page with all parts of the design. The names of colours and sizes are those of `tokens.css`.
enum StyleguidePage {
    private static let colours = [
        "paper", "surface", "sunken", "line", "line-strong", "ink", "ink-soft", "accent", "accent-strong",
        "accent-soft",
        "good", "good-soft", "warn", "warn-soft", "bad", "bad-soft",
    ]
    private static let sizes = ["xs", "s", "m", "l", "xl", "2xl", "3xl"]
    private static let spaces = [4, 8, 12, 16, 24, 36, 56, 88]

    static var content: PageContent {
        PageContent(
            "admin-styleguide", title: "Style guide",
            [
                "swatches": colours.map { ["token": $0] as PageValues },
                "sizes": sizes.map { ["token": $0, "text": "The quick kangaroo jumps"] as PageValues },
                "spaces": spaces.enumerated().map { index, pixels -> PageValues in
                    ["token": String(index + 1), "pixels": pixels]
                },
                "chart": false,
            ])
    }
}
