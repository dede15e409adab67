import Foundation
import Synchronization

/// A terminal whose user is the test: a program draws on it, and the test reads its screen and presses keys.
public final class PseudoTerminal: Sendable {
    private struct State {
        var emulator: TerminalEmulator
        var waiting:
            [Int: (isMet: @Sendable (TerminalEmulator) -> Bool, continuation: CheckedContinuation<Void, any Error>)] =
                [:]
        var lastId = 0
    }

    /// The screen that a test waited for was not shown in time.
    public struct Missing: Error, CustomStringConvertible {
        public let description: String
    }

    private let controller: Int32
    /// Stays open, so that settings and screen can be read after the program has ended.
    private let device: Int32
    /// Closing it ends the reading thread.
    private let closing: Int32
    private let path: String
    private let state: Mutex<State>
    private let patience: Duration

    /// - Parameter patience: the time limit of each wait.
    public init(columns: Int = 80, rows: Int = 24, patience: Duration = .seconds(180)) throws {
        var ends: (controller: Int32, device: Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 128)
        guard openpty(&ends.controller, &ends.device, nil, nil, nil) == 0,
            ttyname_r(ends.device, &name, name.count) == 0
        else { throw POSIXError(.ENXIO) }
        (controller, device) = ends
        var pipe: [Int32] = [-1, -1]
        guard Foundation.pipe(&pipe) == 0 else { throw POSIXError(.EMFILE) }
        closing = pipe[1]
        // A program that inherited these would keep the terminal open.
        for end in [controller, device] + pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        path = name.withUnsafeBufferPointer { $0.baseAddress.map(String.init(cString:)) ?? "" }
        state = Mutex(State(emulator: TerminalEmulator(columns: columns, rows: rows)))
        self.patience = patience
        setWindow(columns, rows)
        let closed = pipe[0]
        Thread.detachNewThread { [controller, weak self] in
            Self.read(from: controller, until: closed) { self?.receive($0) }
        }
    }

    /// Closes the terminal, which sends SIGHUP to the program.
    deinit {
        close(device)
        close(closing)
    }

    private static func read(from controller: Int32, until closed: Int32, _ receive: (ArraySlice<UInt8>) -> Void) {
        var sources = [controller, closed].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while poll(&sources, 2, -1) > 0 || errno == EINTR, sources[1].revents == 0 {
            guard sources[0].revents != 0 else { continue }
            let count = Foundation.read(controller, &chunk, chunk.count)
            guard count > 0 else { break }
            receive(chunk[..<count])
        }
        close(closed)
        close(controller)
    }

    /// Starts a program with this as its controlling terminal, and with nothing but the given environment.
    public func run(_ program: URL, _ arguments: [String] = [], environment: [String: String] = [:]) throws
        -> TerminalProgram
    {
        try TerminalProgram(program, arguments, environment: environment, terminal: path)
    }

    /// The current screen.
    public var screen: TerminalEmulator { state.withLock { $0.emulator } }

    /// The current settings of the line.
    public var settings: LineSettings { LineSettings(device) }

    public func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(controller, bytes, bytes.count)
    }

    /// Writes to the screen, like another program at the same terminal.
    public func scribble(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(device, bytes, bytes.count)
    }

    public func press(_ keys: TypedKey...) {
        for key in keys { type(key.rawValue) }
    }

    /// Changes the size, like a user who drags the edge of the window.
    public func resize(columns: Int, rows: Int) {
        state.withLock { $0.emulator.resize(columns: columns, rows: rows) }
        // The kernel sends SIGWINCH to the program.
        setWindow(columns, rows)
    }

    /// Waits until the screen shows the text.
    @discardableResult
    public func wait(for text: String) async throws -> [String] {
        try await wait("“\(text)”") { $0.text.contains(text) }
    }

    /// Waits until the screen meets a condition.
    ///
    /// - Parameter wanted: the name of the condition, for the error.
    @discardableResult
    public func wait(
        _ wanted: String, until isMet: @escaping @Sendable (TerminalEmulator) -> Bool
    ) async throws -> [String] {
        let id = state.withLock { state in
            state.lastId += 1
            return state.lastId
        }
        try await withCheckedThrowingContinuation { continuation in
            let isMetAlready = state.withLock { state in
                guard !isMet(state.emulator) else { return true }
                state.waiting[id] = (isMet, continuation)
                return false
            }
            guard !isMetAlready else { return continuation.resume() }
            let nanoseconds = patience / .nanoseconds(1)
            DispatchQueue.global().asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds))) { [weak self] in
                self?.giveUp(id, wanted)
            }
        }
        return screen.lines
    }

    private func giveUp(_ id: Int, _ wanted: String) {
        let (waiting, screen) = state.withLock { ($0.waiting.removeValue(forKey: id), $0.emulator) }
        waiting?.continuation.resume(throwing: Missing(description: "waited for \(wanted), but saw\n\(screen.text)"))
    }

    private func receive(_ bytes: ArraySlice<UInt8>) {
        let met = state.withLock { state in
            state.emulator.feed(bytes)
            let met = state.waiting.filter { $0.value.isMet(state.emulator) }
            for id in met.keys { state.waiting[id] = nil }
            return met.values.map(\.continuation)
        }
        for continuation in met { continuation.resume() }
    }

    private func setWindow(_ columns: Int, _ rows: Int) {
        var window = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(controller, UInt(TIOCSWINSZ), &window)
    }
}

/// The escape sequences of keys that write no character.
public enum TypedKey: String, Sendable {
    case up = "\u{1B}[A"
    case down = "\u{1B}[B"
    case right = "\u{1B}[C"
    case left = "\u{1B}[D"
    case home = "\u{1B}[H"
    case end = "\u{1B}[F"
    case pageUp = "\u{1B}[5~"
    case pageDown = "\u{1B}[6~"
    case enter = "\r"
    case tab = "\t"
    case backTab = "\u{1B}[Z"
    case backspace = "\u{7F}"
    case escape = "\u{1B}"
    case interrupt = "\u{03}"
    case clear = "\u{15}"
    case suspend = "\u{1A}"
}

/// The settings of a terminal's line in the kernel.
public struct LineSettings: Sendable, Equatable {
    private let flags: [UInt]
    private let characters: [UInt8]

    init(_ device: Int32) {
        var settings = termios()
        tcgetattr(device, &settings)
        flags = [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag].map { UInt($0) }
        characters = withUnsafeBytes(of: settings.c_cc) { Array($0) }
    }

    /// Whether the program gets each key as it is pressed, without echo.
    public var isRaw: Bool { flags[3] & UInt(ICANON | ECHO | ISIG) == 0 }
}
