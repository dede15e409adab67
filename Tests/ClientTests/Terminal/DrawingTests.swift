import Foundation
import PouchTerminal
import PseudoTerminal
import SeededRandom
import Testing

struct TerminalTextTests {
    @Test func `text from a server cannot steer the terminal`() {
        #expect("a\u{1B}[2Jb\u{07}\u{9B}31mc".harmless == "a[2Jb31mc")
        #expect("one\ntwo\tthree\u{2028}four".harmless == "one two three four")
        #expect("\u{202E}abc\u{2066}".harmless == "abc")
        #expect("Crème 漢 👩‍👩‍👧".harmless == "Crème 漢 👩‍👩‍👧")
        #expect(StyledText("\u{1B}]0;title\u{07}x").plain == "]0;titlex")
    }

    @Test(arguments: [
        ("a", 1), ("é", 1), ("e\u{301}", 1), ("漢", 2), ("ｗ", 2), ("한", 2), ("😀", 2), ("👩‍👩‍👧", 2), ("🇷🇸", 2),
        ("กำลัง", 4), ("की", 2), ("☂️", 2), ("☂", 1), ("\u{301}", 0), ("\u{200B}", 0), ("─", 1), ("•", 1), ("€", 1),
    ])
    func `a character takes as many columns as a terminal gives it`(text: String, columns: Int) {
        #expect(text.columns == columns)
    }

    @Test func `lines break between words, long words anywhere, wide characters never in the middle`() {
        func lines(_ text: String, _ width: Int) -> [String] { StyledText(text).wrapped(to: width).map(\.plain) }
        #expect(lines("Two metres of it, warm.", 10) == ["Two metres", "of it,", "warm."])
        #expect(lines("abcdefghij klm", 4) == ["abcd", "efgh", "ij", "klm"] && lines("漢字漢字", 5) == ["漢字", "漢字"])
        #expect(lines("a  b", 10) == ["a  b"] && lines("", 10) == [""])
        #expect(lines("x", 0).isEmpty)
        #expect(Paragraph("one\n\ntwo").lines(width: 10) == ["one", "", "two"])
    }

    @Test func `a text that is too long ends in an ellipsis, never in half a character`() {
        #expect(StyledText("cardigan").truncated(to: 5).plain == "card…")
        #expect(StyledText("漢字漢").truncated(to: 4).plain == "漢…")
        #expect(StyledText("hat").truncated(to: 3).plain == "hat")
        #expect(Row("A very long name", "129.00 EUR").lines(width: 20) == ["A very l… 129.00 EUR"])
    }

    @Test func `a box has its title in its edge, and clips its content`() {
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

    @Test(arguments: 0..<60 as Range<UInt64>)
    func `after any other canvas, the terminal shows the canvas that was painted last`(seed: UInt64) {
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
            #expect(terminal.lines == canvas.lines && terminal.unknown.isEmpty)
        }
    }

    @Test func `only changes are sent, and nothing for an unchanged canvas`() {
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

    @Test func `a style applies to its own characters only, and colours are left out if unwanted`() {
        var canvas = Canvas(Self.size)
        canvas.write(StyledText("red", Style(.bold, foreground: .red)) + " plain", x: 0, y: 0)
        for (hasColors, style) in [(true, [1, 31]), (false, [1])] {
            var painter = Painter(hasColors: hasColors)
            var terminal = TerminalEmulator(columns: Self.size.columns, rows: Self.size.rows)
            terminal.feed(painter.paint(canvas))
            #expect(terminal.style(of: "red") == style && terminal.style(of: "plain") == [])
        }
    }

    @Test func `half of a wide character is never shown`() {
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

@MainActor
struct FormTests {
    /// A form on a small canvas.
    @MainActor
    private final class Shown {
        let form = Form()
        var canvas = Canvas(TerminalSize(columns: 40, rows: 5))
        var done: [String] = []
        var elements: [FormElement] = []

        @discardableResult
        func press(_ keys: Key...) -> Bool {
            var isUsed = false
            for key in keys {
                draw()
                isUsed = form.press(key, elements)
            }
            return isUsed
        }

        @discardableResult
        func draw() -> [String] {
            canvas = Canvas(canvas.size)
            form.draw(elements, on: &canvas, in: canvas.area)
            return canvas.lines
        }

        func row(_ id: String) -> FormElement { .row(id, StyledText(id)) { [unowned self] in done.append(id) } }
    }

    private let shown = Shown()

    @Test func `the arrows move the focus, and Enter activates the focused element`() {
        shown.elements = [.text("Title"), shown.row("one"), .blank, shown.row("two")]
        #expect(shown.draw() == ["  Title", "› one", "", "  two", ""])
        shown.press(.down, .enter)
        #expect(shown.draw() == ["  Title", "  one", "", "› two", ""])
        shown.press(.up, .enter, .tab, .tab, .enter, .backTab, .enter)
        #expect(shown.done == ["two", "one", "two", "one"])
        #expect(!shown.press(.escape))
    }

    @Test func `a form scrolls to the focus, marks hidden rows, and shows the rows above its first element again`() {
        shown.elements = [.text("Title")] + (1...8).map { shown.row("row \($0)") }
        #expect(shown.draw().last == "  row 4                                ↓")
        shown.press(.down, .down, .down, .down)
        #expect(shown.draw().first == "  row 1                                ↑")
        shown.press(.end)
        #expect(shown.draw().suffix(1) == ["› row 8"])
        shown.press(.pageUp)
        #expect(shown.form.focus == "row 4" || shown.form.focus == "row 1")
        shown.press(.home)
        #expect(shown.draw().first == "  Title")
    }

    @Test func `a long text between two elements is scrolled through, not skipped`() {
        let lines = (1...20).map { "line \($0)" }
        shown.elements = [shown.row("top"), .block(Paragraph(lines.joined(separator: "\n"))), shown.row("end")]
        var seen = Set(shown.draw())
        for _ in 0..<20 where shown.form.focus != "end" {
            shown.press(.down)
            seen.formUnion(shown.draw())
        }
        #expect(shown.draw().contains("› end"))
        #expect(lines.allSatisfy { line in seen.contains { $0.trimmingCharacters(in: ["↑", "↓", " "]) == line } })
    }

    @Test func `the focus stays on its element when others are added, and moves to the first when it is removed`() {
        shown.elements = [shown.row("a"), shown.row("b")]
        shown.press(.down)
        shown.elements = [shown.row("new"), shown.row("a"), shown.row("b")]
        #expect(shown.draw()[2] == "› b")
        shown.elements = [shown.row("new"), shown.row("a")]
        #expect(shown.draw()[0] == "› new")
    }

    @Test func `an awaited element gets the focus when it appears, unless a key was pressed before`() {
        shown.elements = [shown.row("a"), shown.row("b")]
        shown.form.focus(on: "later")
        #expect(shown.draw()[0] == "› a")
        shown.elements.append(shown.row("later"))
        #expect(shown.draw()[2] == "› later")
        shown.form.focus(on: "much later")
        shown.press(.up)
        shown.elements.append(shown.row("much later"))
        #expect(shown.draw()[1] == "› b")
    }

    @Test func `a field is edited at the cursor, keeps its text, and a secret shows dots`() {
        shown.elements = [shown.form.field("name", "Name"), shown.form.field("password", "Password", isSecret: true)]
        for character in "Ann" { shown.press(.character(character)) }
        shown.press(.left, .backspace, .character("é"), .paste("\u{1B}[2J\nx"), .tab, .character("s"), .character("3"))
        #expect(shown.form["name"] == "Aé[2J xn" && shown.form["password"] == "s3")
        #expect(shown.draw().first?.hasPrefix("  Name              Aé[2J xn") == true)
        #expect(shown.draw()[1].hasPrefix("› Password          ••"))
        shown.press(.control("u"))
        #expect(shown.form["password"].isEmpty)
    }

    @Test func `a field with a long text shows the cursor`() {
        shown.elements = [shown.form.field("a", "A")]
        shown.form["a"] = "The quick brown fox jumps over the lazy dog"
        #expect(shown.draw()[0].hasSuffix("the lazy dog"))
        shown.press(.home)
        #expect(shown.draw()[0].contains("The quick"))
    }

    @Test func `a field limits its text, even after many pastes`() {
        var field = TextField(String(repeating: "a", count: 990))
        for _ in 0..<3 { _ = field.press(.paste(String(repeating: "漢", count: 20_000))) }
        #expect(field.text.count == TextField.limit)
        _ = field.press(.character("x"))
        #expect(field.text.hasSuffix("漢"))
        _ = field.press(.backspace)
        _ = field.press(.character("x"))
        #expect(field.text.hasSuffix("漢x"))
    }

    @Test func `a choice shows its values, and ← and → select another`() {
        var selected: Int? = nil
        func elements() -> [FormElement] {
            [.choice("size", "Size", ["S", "M", "L"], selected: selected, isOffered: { $0 != 1 }) { selected = $0 }]
        }
        shown.elements = elements()
        #expect(shown.draw()[0] == "› Size               S   M   L")
        for _ in 0..<2 {
            shown.press(.right)
            shown.elements = elements()
        }
        #expect(selected == 1)
        #expect(shown.draw()[0] == "› Size               S  [M]  L")
        #expect(shown.canvas[25, 0].style.attributes.contains(.struckOut))
    }
}
