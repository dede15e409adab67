/// The content of a `TerminalLoop`.
@MainActor
public protocol TerminalContent: AnyObject {
    /// The minimum size. On a smaller terminal, a message replaces the content.
    var minimumSize: TerminalSize { get }

    /// Draws everything on a blank canvas.
    func draw(on canvas: inout Canvas)

    /// Handles a key. Ctrl-C, Ctrl-L and Ctrl-Z are handled by the loop: it ends, repaints or suspends the program.
    func press(_ key: Key)
}

/// Shows content on a terminal and passes the keys to it, until it is stopped.
///
/// All events pass through one sequence, one at a time, on the main actor. Changes that follow each other are drawn
/// together, after the events that arrived before.
///
///     let loop = TerminalLoop(try Terminal())
///     let end = try await loop.run(content)
@MainActor
public final class TerminalLoop {
    /// The reason why a loop has ended.
    public enum End: Sendable, Equatable {
        case stopped
        /// The user pressed Ctrl-C.
        case interrupted
        /// The terminal was closed.
        case closed
    }

    private enum Event: Sendable {
        case input(TerminalInput)
        case draw
        case end(End)
    }

    /// The maximum pause between two bytes of a key, even over a slow line.
    private static let maxPause = Duration.milliseconds(50)

    private let device: any TerminalDevice
    private let clock: any Clock<Duration>
    private let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private var painter: Painter
    private var decoder = KeyDecoder()
    /// The wait for the rest of a key.
    private var pause: Task<Void, Never>?
    private var needsDrawing = false

    /// - Parameter clock: measures the wait after Esc, which may be the start of a longer key.
    public init(_ device: any TerminalDevice, clock: any Clock<Duration> = ContinuousClock()) {
        self.device = device
        self.clock = clock
        painter = Painter(hasColors: device.hasColors)
        (events, continuation) = AsyncStream.makeStream()
    }

    /// Runs once, until `stop`, Ctrl-C, the end of the terminal or the cancellation of the task. Closes the device
    /// before it returns or throws.
    public func run(_ content: any TerminalContent) async throws(TerminalError) -> End {
        try device.open { [continuation] input in continuation.yield(.input(input)) }
        defer {
            pause?.cancel()
            device.close()
        }
        setNeedsDrawing()
        for await event in events {
            switch event {
            case .input(.bytes(let bytes)): receive(bytes, content)
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

    /// Draws the content again, after the pending events.
    public func setNeedsDrawing() {
        guard !needsDrawing else { return }
        needsDrawing = true
        continuation.yield(.draw)
    }

    public func stop() {
        continuation.yield(.end(.stopped))
    }

    /// Decodes bytes into keys. Esc is a separate key if no bytes follow.
    private func receive(_ bytes: [UInt8], _ content: any TerminalContent) {
        pause?.cancel()
        for key in decoder.decode(bytes) { press(key, content) }
        guard decoder.isUndecided else { return }
        pause = Task { [clock, weak self] in
            guard (try? await clock.sleep(for: Self.maxPause)) != nil, !Task.isCancelled, let self else { return }
            for key in decoder.flush() { press(key, content) }
        }
    }

    private func press(_ key: Key, _ content: any TerminalContent) {
        switch key {
        case .control("c"): continuation.yield(.end(.interrupted))
        case .control("z"): device.suspend()
        case .control("l"): painter.forget()
        default: content.press(key)
        }
        setNeedsDrawing()
    }

    private func draw(_ content: any TerminalContent) {
        needsDrawing = false
        var canvas = Canvas(device.size)
        let needed = content.minimumSize
        if canvas.size.columns < needed.columns || canvas.size.rows < needed.rows {
            let message: StyledText = "Window too small: enlarge it to \(needed.columns) columns, \(needed.rows) rows."
            Paragraph(message).draw(on: &canvas, in: canvas.area)
        } else {
            content.draw(on: &canvas)
        }
        let bytes = painter.paint(canvas)
        if !bytes.isEmpty { device.write(bytes) }
    }
}
