import KooberScreens

/// Does what a script says, as somebody would who waits for each screen to be ready.
@MainActor
public final class ScriptRunner {
    private let app: any KooberApp
    private let limit: Duration
    private let clock: any Clock<Duration>
    private let isVerbose: Bool
    private let write: @MainActor (String) -> Void
    private var screens: AsyncStream<KooberScreen>.Iterator
    /// What was written last.
    private var line: ScreenLine?
    /// What came last.
    private var screen: KooberScreen?

    /// - Parameters:
    ///   - app: not started yet, so that no screen is missed.
    ///   - limit: how long an intention waits until the screen offers it.
    ///   - isVerbose: see `ScreenLine`. A line that is the same as the one before is not written.
    ///   - write: gets a line for each screen.
    public init(
        _ app: any KooberApp, limit: Duration, clock: any Clock<Duration> = ContinuousClock(), isVerbose: Bool = false,
        write: @escaping @MainActor (String) -> Void
    ) {
        self.app = app
        self.limit = limit
        self.clock = clock
        self.isVerbose = isVerbose
        self.write = write
        screens = app.screens().makeAsyncIterator()
    }

    /// Starts the app, and returns when the screen is ready after the last intention, without an error that no `ok` has
    /// acknowledged. Runs once.
    public func run(_ script: Script) async throws(ScriptFailure) {
        app.start()
        for line in script.lines {
            try await wait(for: line) { $0.offers(line.intention) }
            do throws(UnofferedIntention) {
                try app.perform(line.intention)
            } catch {
                throw failure(.notOffered(line: line.number, intention: line.name))
            }
        }
        try await wait(for: nil) { _ in true }
        guard screen?.error == nil else { throw failure(.error) }
    }

    /// Until the app is at a screen that was written, on which nothing is under way, and that is met.
    private func wait(
        for line: Script.Line?, _ isMet: @escaping @MainActor (KooberScreen) -> Bool
    ) async throws(ScriptFailure) {
        let reading = Task { await readScreens(until: isMet) }
        let alarm = Task { [clock, limit] in
            if (try? await clock.sleep(for: limit)) != nil { reading.cancel() }
        }
        defer { alarm.cancel() }
        let isReady = await withTaskCancellationHandler {
            await reading.value
        } onCancel: {
            reading.cancel()
        }
        guard isReady else {
            throw failure(line.map { .notOffered(line: $0.number, intention: $0.name) } ?? .notEnded)
        }
    }

    /// - Returns: false when no more screens come, the task is cancelled, or an error is in the way, which stays until it is
    ///   acknowledged.
    private func readScreens(until isMet: @MainActor (KooberScreen) -> Bool) async -> Bool {
        while true {
            if let screen, screen == app.screen {
                if screen.isSettled, isMet(screen) { return true }
                if screen.error != nil { return false }
            }
            var screens = screens
            let next = await screens.next(isolation: #isolation)
            self.screens = screens
            guard let next else { return false }
            screen = next
            let line = ScreenLine(next, isVerbose: isVerbose)
            if line != self.line { write(line.text) }
            self.line = line
        }
    }

    private func failure(_ reason: ScriptFailure.Reason) -> ScriptFailure {
        ScriptFailure(reason: reason, screen: app.screen.map { ScreenLine($0, isVerbose: isVerbose).text })
    }
}

/// What a script wants did not happen.
public struct ScriptFailure: Error, Sendable, Equatable {
    public enum Reason: Sendable, Equatable {
        /// In time; the line's number is from 1.
        case notOffered(line: Int, intention: String)
        /// What the last line began, in time.
        case notEnded
        /// The script ended on an error.
        case error
    }

    public let reason: Reason
    /// What there was in its place.
    public let screen: String?
}
