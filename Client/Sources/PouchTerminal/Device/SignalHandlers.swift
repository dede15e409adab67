import Foundation

/// The signal handlers during a takeover. All are async-signal-safe.
enum SignalHandlers {
    /// One more than the highest signal number in use here.
    static let count: Int32 = 64

    /// Signals that end a process from outside, and signals of a crash.
    private static let deadly = [
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, SIGXCPU, SIGXFSZ,
    ]
    private static let all = deadly + [SIGTSTP, SIGCONT, SIGWINCH]

    /// Installs the handlers. Ignored signals remain ignored, as the parent process requested.
    static func install(savingTo actions: UnsafeMutablePointer<sigaction>) {
        for signal in all {
            let previous = actions.advanced(by: Int(signal))
            previous.initialize(to: sigaction())
            sigaction(signal, nil, previous)
            guard !previous.pointee.isIgnored else { continue }
            switch signal {
            case SIGTSTP: set(signal, stop)
            case SIGCONT: set(signal, resume)
            case SIGWINCH: set(signal, resize)
            default: set(signal, die)
            }
        }
    }

    static func restore(_ actions: UnsafeMutablePointer<sigaction>) {
        for signal in all { sigaction(signal, actions.advanced(by: Int(signal)), nil) }
    }

    /// Lets this thread run the handlers of signals that are sent to the process. Pool threads, and threads that they
    /// create, block them.
    static func unblock() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in all { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Restores the terminal, then performs the previous action: the process ends, or its own crash handler prints a
    /// report to the user's screen.
    private static let die: Handler = { signal in
        Takeover.restore()
        if let action = Takeover.action(before: signal) { sigaction(signal, action, nil) }
        // Blocked until this handler returns.
        raise(signal)
    }

    private static let stop: Handler = { signal in
        let error = errno
        Takeover.restore()
        var usual = sigaction()
        var this = sigaction()
        sigaction(signal, &usual, &this)
        var stopping = sigset_t()
        sigemptyset(&stopping)
        sigaddset(&stopping, signal)
        pthread_sigmask(SIG_UNBLOCK, &stopping, nil)
        raise(signal)
        // The process was stopped here and continues, or it was not stopped because there was no shell to continue it.
        sigaction(signal, &this, nil)
        if !Takeover.isInForeground { enterForeground() }
        errno = error
    }

    private static let resume: Handler = { _ in
        let error = errno
        enterForeground()
        errno = error
    }

    private static func enterForeground() {
        Takeover.enterForeground()
        Takeover.wake(InputReader.Wake.overwritten)
    }

    private static let resize: Handler = { _ in
        let error = errno
        Takeover.wake(InputReader.Wake.resized)
        errno = error
    }

    private typealias Handler = @convention(c) (Int32) -> Void

    private static func set(_ signal: Int32, _ handler: @escaping Handler) {
        var action = sigaction()
        #if canImport(Darwin)
            action.__sigaction_u.__sa_handler = handler
        #else
            action.__sigaction_handler.sa_handler = handler
        #endif
        action.sa_flags = SA_ONSTACK | SA_RESTART
        sigfillset(&action.sa_mask)
        sigaction(signal, &action, nil)
    }
}

extension sigaction {
    fileprivate var isIgnored: Bool {
        #if canImport(Darwin)
            let handler = __sigaction_u.__sa_handler
        #else
            let handler = __sigaction_handler.sa_handler
        #endif
        return unsafeBitCast(handler, to: UInt.self) == unsafeBitCast(SIG_IGN, to: UInt.self)
    }
}
