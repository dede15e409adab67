#if TerminalPrograms
    import PouchTerminal

    /// A piece of text of which parts may be styled.
    ///
    /// It is made harmless first: what a server sends must not steer the terminal.
    struct Text: ExpressibleByStringInterpolation {
        /// The parameters of ANSI's "select graphic rendition".
        enum Style: Int {
            case bold = 1
            case dim = 2
            case struckOut = 9
            case red = 31
            case green = 32
            case yellow = 33
        }

        private struct Span {
            let text: String
            let style: Style?
            /// What stands in place of the text where there are no styles.
            let plain: String
        }

        private var spans: [Span]

        init(_ text: String, _ style: Style? = nil, plain: String? = nil) {
            let text = text.harmless
            spans = [Span(text: text, style: style, plain: plain?.harmless ?? text)]
        }

        init(stringLiteral value: String) {
            self.init(value)
        }

        static func + (left: Text, right: Text) -> Text {
            var sum = left
            sum.spans += right.spans
            return sum
        }

        func rendered(styled: Bool) -> String {
            spans.map { span in
                guard styled else { return span.plain }
                guard let style = span.style, !span.text.isEmpty else { return span.text }
                return "\u{1B}[\(style.rawValue)m\(span.text)\u{1B}[0m"
            }.joined()
        }

        /// Columns on the terminal.
        func width(styled: Bool) -> Int {
            spans.reduce(0) { $0 + (styled ? $1.text : $1.plain).columns }
        }
    }
#endif
