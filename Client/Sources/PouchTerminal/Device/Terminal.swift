import Foundation
import Synchronization

/// The terminal that the process was started at, taken over for drawing: its other screen, no cursor, each key as it is
/// pressed.
///
/// It is left as it was found on every way out: after `end`, when the process exits, when a signal ends or stops it, and
/// when it crashes. Only SIGKILL, SIGSTOP and a stack that is full leave no room for that; after SIGSTOP the screen is drawn
/// anew.
public final class Terminal: TerminalDevice {
    public let hasColors: Bool

    private let input: Int32
    private let output: Int32
    private let reader = Mutex<InputReader?>(nil)

    public init(
        input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(TerminalError) {
        guard isatty(input) == 1, isatty(output) == 1 else { throw .noTerminal }
        let term = environment["TERM"] ?? ""
        guard !["", "dumb"].contains(term) else { throw .cannotDraw(term: term) }
        self.input = input
        self.output = output
        hasColors = (environment["NO_COLOR"] ?? "").isEmpty
    }

    deinit {
        end()
    }

    /// 80 by 24 where the terminal does not know.
    public var size: TerminalSize {
        var window = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &window) == 0, window.ws_col > 0, window.ws_row > 0 else {
            return TerminalSize(columns: 80, rows: 24)
        }
        return TerminalSize(columns: Int(window.ws_col), rows: Int(window.ws_row))
    }

    public func begin(_ take: @escaping @Sendable (TerminalInput) -> Void) throws(TerminalError) {
        let reader = try InputReader(input)
        try Takeover.begin(input: input, output: output, wake: reader.wake, .screen)
        reader.start(take)
        self.reader.withLock { $0 = reader }
    }

    /// In one piece; blocks as long as the terminal takes nothing, and does nothing while another program is in front.
    public func write(_ bytes: [UInt8]) {
        guard Takeover.isInFront else { return }
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Foundation.write(output, $0.baseAddress, $0.count) }
            if written > 0 {
                rest.removeFirst(written)
            } else if errno == EAGAIN {
                var wait = pollfd(fd: output, events: Int16(POLLOUT), revents: 0)
                poll(&wait, 1, -1)
            } else if errno != EINTR {
                // Nobody is there to read it; the reader finds that out.
                return
            }
        }
    }

    public func suspend() {
        kill(getpid(), SIGTSTP)
    }

    public func end() {
        guard let reader = reader.withLock({ $0.take() }) else { return }
        // First, so that what is typed from now on goes to the shell.
        reader.stop()
        Takeover.end()
    }
}
