import PouchTerminal
import PseudoTerminal
import SeededRandom
import Testing

/// What is painted, on a terminal of another make: characters are as wide there as the C library says.
struct PainterTests {
    private static let size = TerminalSize(columns: 24, rows: 6)
    private static let texts = [
        "Wool", "漢字", "é", "e\u{301}x", "😀!", "ｗｉｄｅ", "│─┐", "שלום", "●", " ", "한국어", "กำลัง", "हिन्दी",
    ]

    private func lines(_ emulator: TerminalEmulator) -> [String] { emulator.lines }

    @Test("Whatever was shown before, the terminal shows the canvas afterwards", arguments: 0..<60 as Range<UInt64>)
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

    @Test("Only what changed is sent, and nothing where nothing did")
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

    @Test("A style holds for its own characters, and colours go where none are wanted")
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
