import Foundation

/// Reads a password: without echo from a terminal, else the first line of standard input.
enum PasswordPrompt {
    /// - Returns: nil at the end of input and on Ctrl-C.
    static func read(_ prompt: String) async -> String? {
        // Waiting for a person must not hold a thread of the cooperative pool.
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: isatty(STDIN_FILENO) == 1 ? readHidden(prompt) : readLine())
            }
        }
    }

    /// The terminal hands over Ctrl-C as a character and raises no signal meanwhile, so that its settings are put back
    /// on every way out.
    private static func readHidden(_ prompt: String) -> String? {
        var original = termios()
        guard tcgetattr(STDIN_FILENO, &original) == 0 else { return nil }
        var silent = original
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
        FileHandle.standardError.write(Data(prompt.utf8))
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &original)
            FileHandle.standardError.write(Data("\n".utf8))
        }
        var typed: [UInt8] = []
        var byte: UInt8 = 0
        while Foundation.read(STDIN_FILENO, &byte, 1) == 1 {
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): return String(decoding: typed, as: UTF8.self)
            case 0x03: return nil
            case 0x04 where typed.isEmpty: return nil
            case 0x08, 0x7F: typed = Array(String(decoding: typed, as: UTF8.self).dropLast().utf8)
            case 0x15: typed = []
            default: typed.append(byte)
            }
        }
        return nil
    }
}
