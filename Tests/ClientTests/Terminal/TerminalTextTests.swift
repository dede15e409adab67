import PouchTerminal
import Testing

struct TerminalTextTests {
    @Test("What a server sends cannot steer the terminal")
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

    @Test("What is too long ends in an ellipsis, and never in half a character")
    func truncation() {
        #expect(StyledText("cardigan").truncated(to: 5).plain == "card…")
        #expect(StyledText("漢字漢").truncated(to: 4).plain == "漢…")
        #expect(StyledText("hat").truncated(to: 3).plain == "hat")
        #expect(Row("A very long name", "129.00 EUR").lines(width: 20) == ["A very l… 129.00 EUR"])
    }

    @Test("A box has its title in its edge, and keeps what is in it inside")
    func box() {
        let box = Box("Wool", Paragraph("Two metres of it"))
        #expect(box.lines(width: 14) == ["┌─ Wool ─────┐", "│ Two metres │", "│ of it      │", "└────────────┘"])
    }
}
