/// Shows something on a terminal and hands it the keys, until it is stopped.
///
/// All that happens comes through one sequence, one after another, on the main actor. However much has changed, it is
/// drawn once, after what came before.
@MainActor
public final class TerminalLoop {
    /// Why a loop has ended.
    public enum End: Sendable, Equatable {
        case stopped
        /// The user pressed Ctrl-C.
        case interrupted
        /// The terminal is gone.
        case closed
    }

    private enum Event: Sendable {
        case input(TerminalInput)
        case draw
        case end(End)
    }

    private let device: any TerminalDevice
    private let clock: any Clock<Duration>
    private let events: AsyncStream<Event>
    private let happen: AsyncStream<Event>.Continuation
    private var painter: Painter
    private var isDrawing = false

    /// - Parameter clock: for how long Esc waits for what may follow it.
    public init(_ device: any TerminalDevice, clock: any Clock<Duration> = ContinuousClock()) {
        self.device = device
        self.clock = clock
        painter = Painter(hasColors: device.hasColors)
        (events, happen) = AsyncStream.makeStream()
    }

    /// Runs once. The device is given back before this returns or throws.
    public func run(_ content: any TerminalContent) async throws(TerminalError) -> End {
        try device.begin { [happen] input in happen.yield(.input(input)) }
        defer { device.end() }
        setNeedsDrawing()
        let keyboard = Keyboard(clock: clock) { [weak self] key in self?.press(key, content) }
        for await event in events {
            switch event {
            case .input(.bytes(let bytes)): keyboard.take(bytes)
            case .input(.resized): setNeedsDrawing()
            case .input(.overwritten):
                painter.forget()
                setNeedsDrawing()
            case .input(.closed): return .closed
            case .draw: draw(content)
            case .end(let end): return end
            }
        }
        // The task was cancelled.
        return .stopped
    }

    /// Something that is shown has changed.
    public func setNeedsDrawing() {
        guard !isDrawing else { return }
        isDrawing = true
        happen.yield(.draw)
    }

    public func stop() {
        happen.yield(.end(.stopped))
    }

    private func press(_ key: Key, _ content: any TerminalContent) {
        switch key {
        case .control("c"): happen.yield(.end(.interrupted))
        case .control("z"): device.suspend()
        case .control("l"): painter.forget()
        default: content.press(key)
        }
        setNeedsDrawing()
    }

    private func draw(_ content: any TerminalContent) {
        isDrawing = false
        var canvas = Canvas(device.size)
        let needed = content.minimumSize
        if canvas.size.columns < needed.columns || canvas.size.rows < needed.rows {
            let message: StyledText = "This window is too small: make it \(needed.columns) by \(needed.rows)."
            Paragraph(message).draw(on: &canvas, in: canvas.area)
        } else {
            content.draw(on: &canvas)
        }
        let bytes = painter.paint(canvas)
        if !bytes.isEmpty { device.write(bytes) }
    }
}
