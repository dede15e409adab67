import PouchTerminal
import PseudoTerminal
import SeededRandom
import Testing

struct TerminalTextTests {
    @Test("Text from a server cannot steer the terminal")
    func harmless() {
        #expect("a\u{1B}[2Jb\u{07}\u{9B}31mc".harmless == "a[2Jb31mc")
        #expect("one\ntwo\tthree\u{2028}four".harmless == "one two three four")
        #expect("\u{202E}abc\u{2066}".harmless == "abc")
        #expect("Crème 漢 👩‍👩‍👧".harmless == "Crème 漢 👩‍👩‍👧")
        #expect(StyledText("\u{1B}]0;title\u{07}x").plain == "]0;titlex")
    }

    @Test(
        "A character takes as many columns as a terminal gives it",
        arguments: [
            ("a", 1), ("é", 1), ("e\u{301}", 1), ("漢", 2), ("ｗ", 2), ("한", 2), ("😀", 2), ("👩‍👩‍👧", 2), ("🇷🇸", 2),
            ("กำลัง", 4), ("की", 2), ("☂️", 2), ("☂", 1), ("\u{301}", 0), ("\u{200B}", 0), ("─", 1), ("•", 1), ("€", 1),
        ])
    func columns(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test("Lines break between words, long words anywhere, wide characters never in the middle")
    func wrapping() {
        func lines(_ text: String, _ width: Int) -> [String] { StyledText(text).wrapped(to: width).map(\.plain) }
        #expect(lines("Two metres of it, warm.", 10) == ["Two metres", "of it,", "warm."])
        #expect(lines("abcdefghij klm", 4) == ["abcd", "efgh", "ij", "klm"])
        #expect(lines("漢字漢字", 5) == ["漢字", "漢字"])
        #expect(lines("a  b", 10) == ["a  b"])
        #expect(lines("", 10) == [""])
        #expect(lines("x", 0).isEmpty)
        #expect(Paragraph("one\n\ntwo").lines(width: 10) == ["one", "", "two"])
    }

    @Test("A text that is too long ends in an ellipsis, never in half a character")
    func truncation() {
        #expect(StyledText("cardigan").truncated(to: 5).plain == "card…")
        #expect(StyledText("漢字漢").truncated(to: 4).plain == "漢…")
        #expect(StyledText("hat").truncated(to: 3).plain == "hat")
        #expect(Row("A very long name", "129.00 EUR").lines(width: 20) == ["A very l… 129.00 EUR"])
    }

    @Test("A box has its title in its edge, and clips its content")
    func box() {
        let box = Box("Wool", Paragraph("Two metres of it"))
        #expect(box.lines(width: 14) == ["┌─ Wool ─────┐", "│ Two metres │", "│ of it      │", "└────────────┘"])
    }
}

/// Painted bytes, checked by an independent terminal emulator with the C library's character widths.
struct PainterTests {
    private static let size = TerminalSize(columns: 24, rows: 6)
    private static let texts = [
        "Wool", "漢字", "é", "e\u{301}x", "😀!", "ｗｉｄｅ", "│─┐", "שלום", "●", " ", "한국어", "กำลัง", "हिन्दी",
    ]

    @Test(
        "After any other canvas, the terminal shows the canvas that was painted last",
        arguments: 0..<60 as Range<UInt64>)
    func differences(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var painter = Painter(hasColors: true)
        var terminal = TerminalEmulator(columns: Self.size.columns, rows: Self.size.rows)
        var canvas = Canvas(Self.size)
        for _ in 0..<20 {
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let text = Self.texts.randomElement(using: &random) ?? ""
                let style = [Style.plain, .bold, .color(.red)].randomElement(using: &random) ?? .plain
                canvas.write(
                    StyledText(text, style), x: Int.random(in: -3..<26, using: &random),
                    y: Int.random(in: -1..<7, using: &random))
            }
            terminal.feed(painter.paint(canvas))
            #expect(terminal.lines == canvas.lines)
            #expect(terminal.unknown.isEmpty)
        }
    }

    @Test("Only changes are sent, and nothing for an unchanged canvas")
    func leastBytes() {
        var painter = Painter(hasColors: true)
        var canvas = Canvas(Self.size)
        canvas.write("price: 12.00", x: 0, y: 0)
        _ = painter.paint(canvas)
        #expect(painter.paint(canvas).isEmpty)
        canvas.write("3", x: 8, y: 0)
        #expect(String(decoding: painter.paint(canvas), as: UTF8.self) == "\u{1B}[1;9H3")
        painter.forget()
        #expect(painter.paint(canvas).count > 20)
    }

    @Test("A style applies to its own characters only, and colours are left out if unwanted")
    func styles() {
        var canvas = Canvas(Self.size)
        canvas.write(StyledText("red", Style(.bold, foreground: .red)) + " plain", x: 0, y: 0)
        for (hasColors, style) in [(true, [1, 31]), (false, [1])] {
            var painter = Painter(hasColors: hasColors)
            var terminal = TerminalEmulator(columns: Self.size.columns, rows: Self.size.rows)
            terminal.feed(painter.paint(canvas))
            #expect(terminal.style(of: "red") == style)
            #expect(terminal.style(of: "plain") == [])
        }
    }

    @Test("Half of a wide character is never shown")
    func halves() {
        var canvas = Canvas(TerminalSize(columns: 4, rows: 1))
        canvas.write("漢字", x: 0, y: 0)
        canvas.write("a", x: 1, y: 0)
        #expect(canvas.lines == [" a字"])
        canvas.write("b", x: 2, y: 0)
        #expect(canvas.lines == [" ab"])
        canvas.write("漢", x: 3, y: 0)
        canvas.write("字", x: -1, y: 0)
        #expect(canvas.lines == [" ab"])
    }
}
