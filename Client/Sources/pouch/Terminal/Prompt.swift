#if TerminalPrograms
    import ArgumentParser
    import Foundation

    /// Asks whoever sits at the terminal; the questions go to standard error, so that answers in a pipe stay clean.
    enum Prompt {
        /// 128 and the number of SIGINT, as shells report it.
        private static let interrupted = ExitCode(130)

        static var isPossible: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1 }

        static func confirm(_ question: String) async -> Bool {
            Screen(STDERR_FILENO).write(question + " [y/N] ")
            let answer = await blocking { readLine() } ?? ""
            return ["y", "yes"].contains(answer.trimmingCharacters(in: .whitespaces).lowercased())
        }

        /// A password: typed without echo on a terminal, else the first line of standard input.
        ///
        /// - Parameter twice: whether to ask again at a terminal, for a password that is new.
        static func password(twice: Bool = false) async throws -> String {
            guard isPossible else {
                guard let line = await blocking({ readLine() }), !line.isEmpty else {
                    throw Refusal(
                        "There is no password on standard input.", "Send it as the first line.", .usage)
                }
                return line.hasSuffix("\r") ? String(line.dropLast()) : line
            }
            let password = try await hidden("Password: ")
            guard twice else { return password }
            guard try await hidden("Again: ") == password else {
                throw Refusal("The two passwords differ.", "Try again.", .usage)
            }
            return password
        }

        private static func hidden(_ question: String) async throws -> String {
            let screen = Screen(STDERR_FILENO)
            screen.write(question)
            let typed = await blocking { readHidden() }
            screen.write("\n")
            guard let typed else { throw interrupted }
            return typed
        }

        /// - Returns: nil when the user pressed Ctrl-C.
        ///
        /// The terminal hands over Ctrl-C as a character and raises no signal meanwhile, so that its settings are put
        /// back on every way out.
        private static func readHidden() -> String? {
            var original = termios()
            guard tcgetattr(STDIN_FILENO, &original) == 0 else { return nil }
            var silent = original
            silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent)
            defer { tcsetattr(STDIN_FILENO, TCSAFLUSH, &original) }
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            while read(STDIN_FILENO, &byte, 1) == 1 {
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
            return nil
        }

        /// Waiting for a person must not hold a thread of the cooperative pool.
        private static func blocking<Value: Sendable>(_ work: @escaping @Sendable () -> Value) async -> Value {
            await withCheckedContinuation { continuation in
                Thread.detachNewThread { continuation.resume(returning: work()) }
            }
        }
    }
#endif
