import ClientTesting
import Foundation
import PouchTerminal
import Testing

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

        func row(_ id: String) -> FormElement {
            .row(id, StyledText(id)) { [unowned self] in done.append(id) }
        }
    }

    private let shown = Shown()

    @Test("The arrows move the focus, and Enter activates the focused element")
    func focus() {
        shown.elements = [.text("Title"), shown.row("one"), .blank, shown.row("two")]
        #expect(shown.draw() == ["  Title", "› one", "", "  two", ""])
        shown.press(.down, .enter)
        #expect(shown.draw() == ["  Title", "  one", "", "› two", ""])
        shown.press(.up, .enter, .tab, .tab, .enter, .backTab, .enter)
        #expect(shown.done == ["two", "one", "two", "one"])
        #expect(!shown.press(.escape))
    }

    @Test("A form scrolls to the focus, marks hidden rows, and shows the rows above its first element again")
    func scrolling() {
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

    @Test("A long text between two elements is scrolled through, not skipped")
    func longText() {
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

    @Test("The focus stays on its element when others are added, and moves to the first when it is removed")
    func changes() {
        shown.elements = [shown.row("a"), shown.row("b")]
        shown.press(.down)
        shown.elements = [shown.row("new"), shown.row("a"), shown.row("b")]
        #expect(shown.draw()[2] == "› b")
        shown.elements = [shown.row("new"), shown.row("a")]
        #expect(shown.draw()[0] == "› new")
    }

    @Test("An awaited element gets the focus when it appears, unless a key was pressed before")
    func awaited() {
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

    @Test("A field is edited at the cursor, keeps its text, and a secret shows dots")
    func fields() {
        shown.elements = [
            shown.form.field("name", "Name"), shown.form.field("password", "Password", isSecret: true),
        ]
        for character in "Ann" { shown.press(.character(character)) }
        shown.press(.left, .backspace, .character("é"), .paste("\u{1B}[2J\nx"), .tab, .character("s"), .character("3"))
        #expect(shown.form["name"] == "Aé[2J xn")
        #expect(shown.form["password"] == "s3")
        #expect(shown.draw().first?.hasPrefix("  Name              Aé[2J xn") == true)
        #expect(shown.draw()[1].hasPrefix("› Password          ••"))
        shown.press(.control("u"))
        #expect(shown.form["password"].isEmpty)
    }

    @Test("A field with a long text shows the cursor")
    func longField() {
        shown.elements = [shown.form.field("a", "A")]
        shown.form["a"] = "The quick brown fox jumps over the lazy dog"
        #expect(shown.draw()[0].hasSuffix("the lazy dog"))
        shown.press(.home)
        #expect(shown.draw()[0].contains("The quick"))
    }

    @Test("A field limits its text, even after many pastes")
    func fullField() {
        var field = TextField(String(repeating: "a", count: 990))
        for _ in 0..<3 { _ = field.press(.paste(String(repeating: "漢", count: 20_000))) }
        #expect(field.text.count == TextField.limit)
        _ = field.press(.character("x"))
        #expect(field.text.hasSuffix("漢"))
        _ = field.press(.backspace)
        _ = field.press(.character("x"))
        #expect(field.text.hasSuffix("漢x"))
    }

    @Test("A choice shows its values, and ← and → select another")
    func choice() {
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
