import Foundation
import Synchronization

/// A device that programs draw on: a terminal, or a substitute in tests.
public protocol TerminalDevice: Sendable {
    var size: TerminalSize { get }
    /// Whether colours are wanted; see https://no-color.org.
    var hasColors: Bool { get }

    /// Takes control of the device until `close`.
    ///
    /// - Parameter receive: called with each input, in order; must not block.
    func open(_ receive: @escaping @Sendable (TerminalInput) -> Void) throws(TerminalError)

    /// Shows the output of `Painter`.
    func write(_ bytes: [UInt8])

    /// Returns to the user's shell, as Ctrl-Z does. `.overwritten` reports that this program is in the foreground
    /// again.
    func suspend()

    /// Restores the state before `open`. No input is received afterwards.
    func close()
}

public enum TerminalInput: Sendable, Equatable {
    case bytes([UInt8])
    /// The size may have changed.
    case resized
    /// Another program has drawn on the terminal.
    case overwritten
    /// The input has ended: the window was closed, or the connection was lost.
    case closed
}

/// The terminal that the process was started at. While open, it shows its alternate screen, without a cursor, and
/// delivers each key as it is pressed.
///
/// The terminal is restored in all cases: after `close`, when the process exits, when a signal ends or stops it, and
/// when it crashes. The only exceptions are SIGKILL, SIGSTOP and a stack overflow; after SIGSTOP, the screen is
/// redrawn.
public final class Terminal: TerminalDevice {
    public let hasColors: Bool

    private let input = STDIN_FILENO
    private let output = STDOUT_FILENO
    private let reader = Mutex<InputReader?>(nil)

    public init() throws(TerminalError) {
        guard isatty(input) == 1, isatty(output) == 1 else { throw .noTerminal }
        let environment = ProcessInfo.processInfo.environment
        let term = environment["TERM"] ?? ""
        guard !["", "dumb"].contains(term) else { throw .cannotDraw(term: term) }
        hasColors = (environment["NO_COLOR"] ?? "").isEmpty
    }

    deinit {
        close()
    }

    /// The current size; 80 by 24 if the terminal does not report one.
    public var size: TerminalSize { Self.size(of: output) ?? TerminalSize(columns: 80, rows: 24) }

    /// The size of the terminal behind a descriptor; nil if there is none, or it does not report one.
    public static func size(of descriptor: Int32) -> TerminalSize? {
        var window = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return nil
        }
        return TerminalSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }

    public func open(_ receive: @escaping @Sendable (TerminalInput) -> Void) throws(TerminalError) {
        let reader = try InputReader(input)
        try Takeover.start(input: input, output: output, wake: reader.wake, .screen)
        reader.start(receive)
        self.reader.withLock { $0 = reader }
    }

    /// Writes all bytes. Blocks while the terminal accepts none; does nothing while another program is in the
    /// foreground.
    public func write(_ bytes: [UInt8]) {
        guard Takeover.isInForeground else { return }
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(output, $0.baseAddress, $0.count) }
            if written > 0 {
                rest.removeFirst(written)
            } else if errno == EAGAIN {
                var wait = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            } else if errno != EINTR {
                // The terminal is closed; the reader reports that.
                return
            }
        }
    }

    public func suspend() {
        kill(getpid(), SIGTSTP)
    }

    public func close() {
        guard let reader = reader.withLock({ $0.take() }) else { return }
        // Stopped first, so that later key presses reach the shell.
        reader.stop()
        Takeover.stop()
    }
}

/// The reason why a terminal cannot be used.
public enum TerminalError: LocalizedError, Sendable, Equatable {
    /// Input or output is a file or a pipe.
    case noTerminal
    /// According to TERM, the terminal cannot position the cursor.
    case cannotDraw(term: String)
    /// Another part of this process uses a terminal.
    case taken
    /// A system call failed with this `errno`.
    case system(Int32)

    public var errorDescription: String? {
        switch self {
        case .noTerminal: "The input and the output must be a terminal."
        case .cannotDraw(""): "TERM is not set, so the terminal's type is unknown."
        case .cannotDraw(let term): "A terminal of type \(term) cannot show full-screen pages."
        case .taken: "The terminal is already in use."
        case .system(let number): "The terminal cannot be used: \(String(cString: strerror(number)))."
        }
    }
}
