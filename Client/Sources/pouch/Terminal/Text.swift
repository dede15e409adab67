#if TerminalPrograms
    /// A piece of text of which parts may be styled.
    ///
    /// Control characters and those that turn the writing direction are left out: what a server sends must not steer
    /// the terminal.
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
            let text = Self.harmless(text)
            spans = [Span(text: text, style: style, plain: plain.map(Self.harmless) ?? text)]
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

        /// Columns on the terminal, as far as every character takes one.
        func width(styled: Bool) -> Int {
            spans.reduce(0) { $0 + (styled ? $1.text : $1.plain).count }
        }

        private static func harmless(_ text: String) -> String {
            let directions: [ClosedRange<UInt32>] = [0x202A...0x202E, 0x2066...0x2069]
            return String(
                String.UnicodeScalarView(
                    text.unicodeScalars.compactMap { scalar in
                        if scalar == "\n" || scalar == "\t" { return " " }
                        let isHarmful =
                            scalar.properties.generalCategory == .control
                            || directions.contains { $0.contains(scalar.value) }
                        return isHarmful ? nil : scalar
                    }))
        }
    }
#endif
