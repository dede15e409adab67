import Foundation

/// Reads a line without echo, for example a password.
public enum HiddenLine {
    /// Asks on standard error, and blocks until a line is entered. Discards input before the question and after the
    /// line.
    ///
    /// The terminal is restored as with `Terminal`, even if a signal ends the process. During the wait, Ctrl-C is a
    /// character and does not raise a signal.
    ///
    /// - Returns: nil if the user cancelled with Ctrl-C, or with Ctrl-D on an empty line, or closed the terminal.
    public static func read(_ question: String) throws(TerminalError) -> String? {
        SignalHandlers.unblock()
        tcflush(STDIN_FILENO, TCIFLUSH)
        let mode = Takeover.Mode(enter: question, leave: "\n") {
            $0.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        }
        try Takeover.start(input: STDIN_FILENO, output: STDERR_FILENO, wake: -1, mode)
        defer {
            tcflush(STDIN_FILENO, TCIFLUSH)
            Takeover.stop()
        }
        return line()
    }

    private static func line() -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = Foundation.read(STDIN_FILENO, &byte, 1)
            guard count == 1 else {
                if count < 0, errno == EINTR { continue }
                return nil
            }
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return String(decoding: bytes, as: UTF8.self)
            case 0x03: return nil
            case 0x04 where bytes.isEmpty: return nil
            case 0x08, 0x7F: bytes = Array(String(decoding: bytes, as: UTF8.self).dropLast().utf8)
            case 0x15: bytes = []
            // Other control characters would be invisible in the line.
            case ..<0x20: break
            default: bytes.append(byte)
            }
        }
    }
}
