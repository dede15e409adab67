import PouchTerminal
import SeededRandom
import Testing

struct KeyDecoderTests {
    private func keys(_ text: String) -> [Key] {
        var decoder = KeyDecoder()
        return decoder.decode(Array(text.utf8))
    }

    @Test(
        "Each terminal's form of a key is that key",
        arguments: [
            ("\u{1B}[A", .up), ("\u{1B}OA", .up), ("\u{1B}[1;5C", .right), ("\u{1B}[H", .home), ("\u{1B}[1~", .home),
            ("\u{1B}[7~", .home), ("\u{1B}OF", .end), ("\u{1B}[4~", .end), ("\u{1B}[5~", .pageUp),
            ("\u{1B}[6~", .pageDown), ("\u{1B}[3~", .delete), ("\u{1B}[2~", .insert), ("\u{1B}[Z", .backTab),
            ("\t", .tab), ("\r", .enter), ("\n", .enter), ("\u{7F}", .backspace), ("\u{08}", .backspace),
            ("\u{01}", .control("a")), ("\u{1A}", .control("z")), ("\0", .control(" ")), ("\u{1F}", .control("_")),
            ("\u{1B}OP", .function(1)), ("\u{1B}[15~", .function(5)), ("\u{1B}[24~", .function(12)),
            ("\u{1B}x", .alt("x")), ("é", .character("é")), ("漢", .character("漢")), ("😀", .character("😀")),
        ] as [(String, Key)])
    func forms(text: String, key: Key) {
        #expect(keys(text) == [key])
        #expect(keys(text + "b") == [key, .character("b")])
    }

    @Test("What is no key goes by without a trace: reports, unknown sequences, broken UTF-8, C1 controls")
    func noKeys() {
        #expect(keys("\u{1B}[?1;2ca\u{1B}[I\u{1B}[99~\u{1B}[[Ab") == [.character("a"), .character("b")])
        var decoder = KeyDecoder()
        #expect(decoder.decode([0xFF, 0xC3, 0x28, 0x80, 0xE2, 0x82]) == [.character("(")])
        #expect(decoder.decode([0x41]) == [.character("A")])
        #expect(keys("\u{85}x") == [.character("x")])
        #expect(keys("\u{1B}[" + String(repeating: "1", count: 100)).isEmpty)
    }

    @Test("Esc is a key only when nothing follows it in time")
    func escape() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0x1B]).isEmpty)
        #expect(decoder.isUndecided)
        #expect(decoder.flush() == [.escape])
        #expect(!decoder.isUndecided)
        #expect(decoder.decode([0x1B]).isEmpty)
        #expect(decoder.decode([0x5B]).isEmpty)
        #expect(decoder.decode([0x41]) == [.up])
        #expect(keys("\u{1B}\u{1B}[A") == [.escape, .up])
    }

    @Test("What is pasted is one text, with all that is in it, and bounded")
    func paste() {
        #expect(
            keys("a\u{1B}[200~one\rtwo \u{1B}[A\u{1B}[201~b")
                == [.character("a"), .paste("one\rtwo \u{1B}[A"), .character("b")])
        let long = String(repeating: "x", count: KeyDecoder.pasteLimit + 10)
        #expect(keys("\u{1B}[200~\(long)\u{1B}[201~") == [.paste(String(long.dropLast(10)))])
    }

    @Test("However the bytes are cut, the keys are the same", arguments: 0..<50 as Range<UInt64>)
    func cuts(seed: UInt64) {
        let text = "aé漢😀\u{1B}[A\u{1B}OP\u{1B}[3~\u{1B}[200~p\u{1B}é\u{1B}[201~\u{1B}[1;5D\r\u{03}z"
        var random = SplitMix64(seed: seed)
        var rest = Array(text.utf8)[...]
        var decoder = KeyDecoder()
        var found: [Key] = []
        while !rest.isEmpty {
            let count = Int.random(in: 1...4, using: &random)
            found += decoder.decode(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        #expect(found == keys(text))
        #expect(found.count == 12)
    }
}
