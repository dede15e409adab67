import PouchTerminal
import Synchronization
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct TerminalLoopTests {
    /// A device that is all memory.
    private final class Device: TerminalDevice {
        let hasColors = true
        let size = TerminalSize(columns: 20, rows: 2)
        let take = Mutex<(@Sendable (TerminalInput) -> Void)?>(nil)
        let frames = Mutex<[String]>([])
        let ends = Counter()
        let begun = Gate()

        func begin(_ take: @escaping @Sendable (TerminalInput) -> Void) {
            self.take.withLock { $0 = take }
            begun.open()
        }

        func write(_ bytes: [UInt8]) { frames.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) } }
        func suspend() {}
        func end() { ends.increment() }

        func send(_ input: TerminalInput) { take.withLock { $0 }?(input) }
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

    private func begun() async -> Task<TerminalLoop.End, any Error> {
        let running = Task { try await loop.run(content) }
        await device.begun.pass()
        return running
    }

    @Test("Keys that come together are drawn once, and the device is given back at the end")
    func coalescing() async throws {
        let running = await begun()
        device.send(.bytes(Array("abcdefq".utf8)))
        #expect(try await running.value == .stopped)
        #expect(content.keys.count == 7)
        #expect(content.draws <= 2)
        #expect(device.ends.value == 1)
    }

    @Test("Esc is handed on when the clock says that nothing follows")
    func escape() async throws {
        let running = await begun()
        device.send(.bytes([0x1B]))
        await clock.advance(by: .milliseconds(50))
        while content.keys.isEmpty { await Task.yield() }
        #expect(content.keys == [.escape])
        device.send(.closed)
        #expect(try await running.value == .closed)
        #expect(device.ends.value == 1)
    }

    @Test("A loop whose task is cancelled ends, and gives the device back")
    func cancellation() async throws {
        let running = await begun()
        running.cancel()
        #expect(try await running.value == .stopped)
        #expect(device.ends.value == 1)
    }

    @Test("What was drawn over is drawn anew")
    func overwritten() async throws {
        let running = await begun()
        while device.frames.withLock({ $0.isEmpty }) { await Task.yield() }
        device.send(.overwritten)
        while device.frames.withLock({ $0.count < 2 }) { await Task.yield() }
        #expect(device.frames.withLock { $0[0] == $0[1] })
        loop.stop()
        _ = try await running.value
    }
}
