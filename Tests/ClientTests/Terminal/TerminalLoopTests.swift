import ClientTesting
import PouchTerminal
import PouchTesting
import SeededRandom
import Synchronization
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct TerminalLoopTests {
    /// A device in memory.
    private final class Device: TerminalDevice {
        let hasColors = true
        let size = TerminalSize(columns: 20, rows: 2)
        let receive = Mutex<(@Sendable (TerminalInput) -> Void)?>(nil)
        let frames = Collector<String>()
        let closings = Counter()
        let opened = Gate()

        func open(_ receive: @escaping @Sendable (TerminalInput) -> Void) {
            self.receive.withLock { $0 = receive }
            opened.open()
        }

        func write(_ bytes: [UInt8]) { frames.add(String(decoding: bytes, as: UTF8.self)) }
        func suspend() {}
        func close() { closings.increment() }

        func send(_ input: TerminalInput) { receive.withLock { $0 }?(input) }
    }

    @MainActor
    private final class Content: TerminalContent {
        let minimumSize = TerminalSize(columns: 10, rows: 1)
        var keys: [Key] = []
        var draws = 0
        weak var loop: TerminalLoop?

        func draw(on canvas: inout Canvas) {
            draws += 1
            canvas.write("\(keys.count)", x: 0, y: 0)
        }

        func press(_ key: Key) {
            keys.append(key)
            if key == .character("q") { loop?.stop() }
        }
    }

    private let device = Device()
    private let clock = ManualClock()
    private let content = Content()
    private let loop: TerminalLoop

    init() {
        loop = TerminalLoop(device, clock: clock)
        content.loop = loop
    }

    private func started() async -> Task<TerminalLoop.End, any Error> {
        let running = Task { try await loop.run(content) }
        await device.opened.pass()
        return running
    }

    @Test func `keys that arrive together are drawn once, and the device is closed at the end`() async throws {
        let running = await started()
        device.send(.bytes(Array("abcdefq".utf8)))
        #expect(try await running.value == .stopped)
        #expect(content.keys.count == 7 && content.draws <= 2)
        #expect(device.closings.value == 1)
    }

    @Test func `Esc is delivered when no bytes follow in time`() async throws {
        let running = await started()
        device.send(.bytes([0x1B]))
        await clock.advance(by: .milliseconds(50))
        try await eventually { !content.keys.isEmpty }
        #expect(content.keys == [.escape])
        device.send(.closed)
        #expect(try await running.value == .closed)
        #expect(device.closings.value == 1)
    }

    @Test func `a loop whose task is cancelled ends and closes the device`() async throws {
        let running = await started()
        running.cancel()
        #expect(try await running.value == .stopped)
        #expect(device.closings.value == 1)
    }

    @Test func `an overwritten screen is repainted`() async throws {
        let running = await started()
        try await eventually { !device.frames.all.isEmpty }
        device.send(.overwritten)
        try await eventually { device.frames.all.count >= 2 }
        #expect(device.frames.all[0] == device.frames.all[1])
        loop.stop()
        _ = try await running.value
    }
}

struct KeyDecoderTests {
    private func keys(_ text: String) -> [Key] {
        var decoder = KeyDecoder()
        return decoder.decode(Array(text.utf8))
    }

    @Test(
        arguments: [
            ("\u{1B}[A", .up), ("\u{1B}OA", .up), ("\u{1B}[1;5C", .right), ("\u{1B}[H", .home), ("\u{1B}[1~", .home),
            ("\u{1B}[7~", .home), ("\u{1B}OF", .end), ("\u{1B}[4~", .end), ("\u{1B}[5~", .pageUp),
            ("\u{1B}[6~", .pageDown), ("\u{1B}[3~", .delete), ("\u{1B}[2~", .insert), ("\u{1B}[Z", .backTab),
            ("\t", .tab), ("\r", .enter), ("\n", .enter), ("\u{7F}", .backspace), ("\u{08}", .backspace),
            ("\u{01}", .control("a")), ("\u{1A}", .control("z")), ("\0", .control(" ")), ("\u{1F}", .control("_")),
            ("\u{1B}OP", .function(1)), ("\u{1B}[15~", .function(5)), ("\u{1B}[24~", .function(12)),
            ("\u{1B}x", .alt("x")), ("é", .character("é")), ("漢", .character("漢")), ("😀", .character("😀")),
        ] as [(String, Key)])
    func `each terminal's sequence for a key is decoded`(text: String, key: Key) {
        #expect(keys(text) == [key] && keys(text + "b") == [key, .character("b")])
    }

    @Test func `bytes that are no key are dropped: reports, unknown sequences, broken UTF-8, C1 controls`() {
        #expect(keys("\u{1B}[?1;2ca\u{1B}[I\u{1B}[99~\u{1B}[[Ab") == [.character("a"), .character("b")])
        var decoder = KeyDecoder()
        #expect(decoder.decode([0xFF, 0xC3, 0x28, 0x80, 0xE2, 0x82]) == [.character("(")])
        #expect(decoder.decode([0x41]) == [.character("A")])
        #expect(keys("\u{85}x") == [.character("x")])
        #expect(keys("\u{1B}[" + String(repeating: "1", count: 100)).isEmpty)
    }

    @Test func `Esc is a key only when nothing follows it in time`() {
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

    @Test func `a paste is one key with the whole text, up to a limit`() {
        #expect(
            keys("a\u{1B}[200~one\rtwo \u{1B}[A\u{1B}[201~b")
                == [.character("a"), .paste("one\rtwo \u{1B}[A"), .character("b")])
        let long = String(repeating: "x", count: KeyDecoder.pasteLimit + 10)
        #expect(keys("\u{1B}[200~\(long)\u{1B}[201~") == [.paste(String(long.dropLast(10)))])
    }

    @Test(arguments: 0..<50 as Range<UInt64>)
    func `the keys are the same however the bytes are split`(seed: UInt64) {
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
        #expect(found == keys(text) && found.count == 12)
    }
}
