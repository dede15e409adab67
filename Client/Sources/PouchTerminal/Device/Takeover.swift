import Foundation
import Synchronization

/// The data to restore a terminal, even from a signal handler.
///
/// A handler may interrupt anything, including a memory allocation, so it can do very little. The data it needs is set
/// up in advance, consists of plain bytes, and is never freed, because a handler on another thread may be reading it.
/// Signals belong to the whole process, so there is only one takeover at a time.
struct Takeover {
    /// The mode of a terminal during a takeover.
    struct Mode {
        let enter: String
        let leave: String
        let set: (inout termios) -> Void

        /// The alternate screen, without a cursor, and each key as it is pressed.
        static var screen: Mode {
            Mode(
                enter: "\u{1B}[?1049h\u{1B}[?7l\u{1B}[?25l\u{1B}[?2004h",
                // CAN first: it ends a sequence that was interrupted.
                leave: "\u{18}\u{1B}[0m\u{1B}[?2004l\u{1B}[?25h\u{1B}[?7h\u{1B}[?1049l",
                set: { cfmakeraw(&$0) })
        }
    }

    /// The address of the takeover between `start` and `stop`, otherwise 0.
    private static let owner = Atomic<UInt>(0)
    /// The same address while the program is in the foreground. The thread that removes it restores the terminal, so
    /// that this happens once.
    private static let foreground = Atomic<UInt>(0)
    private static let atExit: Void = { _ = atexit { Takeover.restore() } }()

    private let input: Int32
    private let output: Int32
    private let wake: Int32
    private var original: termios
    private var taken: termios
    private let enter: UnsafeBufferPointer<UInt8>
    private let leave: UnsafeBufferPointer<UInt8>
    /// The previous action for each signal, by the signal's number.
    private let actions: UnsafeMutablePointer<sigaction>

    /// - Parameter wake: the descriptor to write `InputReader.Wake` bytes to; -1 for none.
    static func start(input: Int32, output: Int32, wake: Int32, _ mode: Mode) throws(TerminalError) {
        var original = termios()
        guard tcgetattr(input, &original) == 0 else { throw .system(errno) }
        guard owner.load(ordering: .acquiring) == 0 else { throw .taken }
        var taken = original
        mode.set(&taken)
        let takeover = UnsafeMutablePointer<Takeover>.allocate(capacity: 1)
        takeover.initialize(
            to: Takeover(
                input: input, output: output, wake: wake, original: original, taken: taken,
                enter: bytes(mode.enter), leave: bytes(mode.leave),
                actions: .allocate(capacity: Int(SignalHandlers.count))))
        let (isOurs, _) = owner.compareExchange(
            expected: 0, desired: UInt(bitPattern: takeover), ordering: .acquiringAndReleasing)
        guard isOurs else { throw .taken }
        _ = atExit
        SignalHandlers.install(savingTo: takeover.pointee.actions)
        enterForeground()
    }

    static func stop() {
        restore()
        guard let takeover = pointer(owner.exchange(0, ordering: .acquiringAndReleasing)) else { return }
        SignalHandlers.restore(takeover.pointee.actions)
    }

    // MARK: - Async-signal-safe

    static var isInForeground: Bool { foreground.load(ordering: .acquiring) != 0 }

    /// Restores the terminal, once, until `enterForeground`.
    static func restore() {
        guard let takeover = pointer(foreground.exchange(0, ordering: .acquiringAndReleasing)) else { return }
        // In the background, the terminal belongs to the shell, and changing it would stop this process.
        guard tcgetpgrp(takeover.pointee.input) == getpgrp() else { return }
        // A terminal that accepts no output must not delay the end of the process.
        var wait = pollfd(fd: takeover.pointee.output, events: Int16(POLLOUT), revents: 0)
        if poll(&wait, 1, 500) == 1 { write(takeover.pointee.leave, to: takeover.pointee.output) }
        tcsetattr(takeover.pointee.input, TCSANOW, &takeover.pointee.original)
    }

    /// Sets the mode of the takeover. In the background, this stops the process until it is brought to the foreground.
    static func enterForeground() {
        guard let takeover = pointer(owner.load(ordering: .acquiring)) else { return }
        tcsetattr(takeover.pointee.input, TCSANOW, &takeover.pointee.taken)
        foreground.store(UInt(bitPattern: takeover), ordering: .releasing)
        write(takeover.pointee.enter, to: takeover.pointee.output)
    }

    static func wake(_ reason: UInt8) {
        guard let takeover = pointer(owner.load(ordering: .acquiring)) else { return }
        var reason = reason
        _ = Foundation.write(takeover.pointee.wake, &reason, 1)
    }

    /// The action of a signal before the takeover; nil outside a takeover.
    static func action(before signal: Int32) -> UnsafeMutablePointer<sigaction>? {
        pointer(owner.load(ordering: .acquiring))?.pointee.actions.advanced(by: Int(signal))
    }

    private static func pointer(_ address: UInt) -> UnsafeMutablePointer<Takeover>? {
        UnsafeMutablePointer(bitPattern: address)
    }

    private static func write(_ bytes: UnsafeBufferPointer<UInt8>, to output: Int32) {
        _ = Foundation.write(output, bytes.baseAddress, bytes.count)
    }

    private static func bytes(_ text: String) -> UnsafeBufferPointer<UInt8> {
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
        _ = bytes.initialize(from: text.utf8)
        return UnsafeBufferPointer(bytes)
    }
}
