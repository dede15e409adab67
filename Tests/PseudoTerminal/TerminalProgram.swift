import Foundation

/// A program that runs at a pseudo-terminal.
public final class TerminalProgram: Sendable {
    public let id: pid_t
    private let status: Task<Int32, Never>

    init(_ program: URL, _ arguments: [String], environment: [String: String], terminal: String) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // A session leader that opens a terminal gets it as its controlling terminal.
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, terminal, O_RDWR, 0)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, STDIN_FILENO, STDERR_FILENO)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK) | Self.newSession)
        var signals = sigset_t()
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)

        let words = ([program.path] + arguments).map { strdup($0) } + [nil]
        let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for text in words + variables { free(text) } }
        var id = pid_t()
        let failure = posix_spawn(&id, program.path, &actions, &attributes, words, variables)
        guard failure == 0 else { throw POSIXError(POSIXErrorCode(rawValue: failure) ?? .EIO) }
        self.id = id
        status = Task { [id] in
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    var status: Int32 = 0
                    while waitpid(id, &status, 0) < 0, errno == EINTR {}
                    continuation.resume(returning: status)
                }
            }
        }
    }

    /// The exit code, or 128 plus the signal's number, as shells report it.
    public var exit: Int32 {
        get async {
            let status = await status.value
            let signal = status & 0x7F
            return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
        }
    }

    public func send(_ signal: Int32) {
        kill(id, signal)
    }

    #if canImport(Darwin)
        private static let newSession = Int16(POSIX_SPAWN_SETSID)
    #else
        /// `POSIX_SPAWN_SETSID` of glibc, which Swift does not import.
        private static let newSession: Int16 = 0x80
    #endif
}

/// The location of programs that were built with the tests.
public enum BuiltProgram {
    public static func url(_ name: String) -> URL {
        let tests =
            Bundle.allBundles.first { $0.bundleURL.pathExtension == "xctest" }?.bundleURL.deletingLastPathComponent()
            ?? Bundle.main.bundleURL
        return tests.appending(path: name)
    }
}
