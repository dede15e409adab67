import Foundation

/// What happens on signals while a terminal is taken over. All handlers are async-signal-safe.
enum SignalHandlers {
    /// One more than the highest number of a signal here.
    static let count: Int32 = 64

    /// Those that end a process from outside, and those of a crash.
    private static let deadly = [
        SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP, SIGXCPU, SIGXFSZ,
    ]
    private static let all = deadly + [SIGTSTP, SIGCONT, SIGWINCH]

    /// What is ignored stays ignored: whoever started us wants it so.
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

    /// Lets this thread run the handlers of signals that are sent to the process. Those of thread pools block them, and a
    /// thread that is made there inherits that.
    static func unblock() {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in all { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    }

    /// Gives the terminal back, then lets happen what would have happened: the process ends, or its own handler of
    /// crashes reports this one, on the user's screen.
    private static let die: Handler = { signal in
        Takeover.giveBack()
        if let action = Takeover.action(before: signal) { sigaction(signal, action, nil) }
        // Blocked until this handler returns.
        raise(signal)
    }

    private static let stop: Handler = { signal in
        let error = errno
        Takeover.giveBack()
        var usual = sigaction()
        var this = sigaction()
        sigaction(signal, &usual, &this)
        var stopping = sigset_t()
        sigemptyset(&stopping)
        sigaddset(&stopping, signal)
        pthread_sigmask(SIG_UNBLOCK, &stopping, nil)
        raise(signal)
        // The process was stopped here and goes on, or nobody was there who could have let it go on.
        sigaction(signal, &this, nil)
        if !Takeover.isInFront { takeFront() }
        errno = error
    }

    private static let resume: Handler = { _ in
        let error = errno
        takeFront()
        errno = error
    }

    private static func takeFront() {
        Takeover.takeFront()
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
