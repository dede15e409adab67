import Foundation

/// Reads a password: without echo from a terminal, else the first line of standard input.
enum PasswordPrompt {
    /// - Returns: nil at the end of input.
    static func read(_ prompt: String) -> String? {
        guard isatty(STDIN_FILENO) == 1 else { return readLine() }
        var settings = termios()
        tcgetattr(STDIN_FILENO, &settings)
        let before = settings
        settings.c_lflag &= ~tcflag_t(ECHO)
        // A signal would otherwise leave the terminal without echo; it is delivered once the echo is back.
        var blocked = sigset_t()
        var old = sigset_t()
        sigemptyset(&blocked)
        sigaddset(&blocked, SIGTERM)
        sigaddset(&blocked, SIGTSTP)
        pthread_sigmask(SIG_BLOCK, &blocked, &old)
        settings.c_lflag &= ~tcflag_t(ISIG)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
        defer {
            var before = before
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &before)
            pthread_sigmask(SIG_SETMASK, &old, nil)
            FileHandle.standardError.write(Data("\n".utf8))
        }
        FileHandle.standardError.write(Data(prompt.utf8))
        // Ctrl-C comes as a character here, and means that there is no password.
        guard let line = readLine(), !line.contains("\u{3}") else { return nil }
        return line
    }
}
