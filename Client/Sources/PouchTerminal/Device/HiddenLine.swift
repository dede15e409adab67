import Foundation

/// A line that is typed without being seen, as a password.
public enum HiddenLine {
    /// Blocks until the line is there. What is typed before the question or after the line is dropped.
    ///
    /// The terminal is left as it was found, as by `Terminal`, also when a signal ends the process. Ctrl-C is a character
    /// meanwhile, and raises no signal.
    ///
    /// - Returns: nil when it was given up: by Ctrl-C, by Ctrl-D before anything else, or with the terminal.
    public static func read(
        _ question: String, from input: Int32 = STDIN_FILENO, to output: Int32 = STDERR_FILENO
    ) throws(TerminalError) -> String? {
        SignalHandlers.unblock()
        tcflush(input, TCIFLUSH)
        let mode = Takeover.Mode(enter: question, leave: "\n") {
            $0.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        }
        try Takeover.begin(input: input, output: output, wake: -1, mode)
        defer {
            tcflush(input, TCIFLUSH)
            Takeover.end()
        }
        return line(from: input)
    }

    private static func line(from input: Int32) -> String? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while true {
            let count = Foundation.read(input, &byte, 1)
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
            // Nobody sees that they are there.
            case ..<0x20: break
            default: bytes.append(byte)
            }
        }
    }
}
