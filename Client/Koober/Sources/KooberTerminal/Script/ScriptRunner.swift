import KooberScreens
import KooberTexts

/// Performs the intentions of a script, each as soon as the screen offers it and has settled.
@MainActor
public final class ScriptRunner {
    private let app: any KooberApp
    private let limit: Duration
    private let clock: any Clock<Duration>
    private let language: Language
    private let isVerbose: Bool
    private let write: @MainActor (String) -> Void
    private var screens: AsyncStream<KooberScreen>.Iterator
    private var lastLine: ScreenLine?
    private var screen: KooberScreen?

    /// - Parameters:
    ///   - app: an app that has not been started, so that no screen is missed.
    ///   - limit: the time within which the screen must offer each intention.
    ///   - isVerbose: see `ScreenLine`.
    ///   - write: called with a line for each screen. A line equal to the last one is omitted.
    public init(
        _ app: any KooberApp, limit: Duration, clock: any Clock<Duration> = ContinuousClock(),
        language: Language = .english, isVerbose: Bool = false,
        write: @escaping @MainActor (String) -> Void
    ) {
        self.app = app
        self.limit = limit
        self.clock = clock
        self.language = language
        self.isVerbose = isVerbose
        self.write = write
        screens = app.screens().makeAsyncIterator()
    }

    /// Starts the app, and returns when the screen has settled after the last intention. Can be called once.
    ///
    /// - Throws: `ScriptFailure`, also if the script ends with an error that it does not acknowledge.
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
        await app.finish()
        guard app.screen?.error == nil else { throw failure(.error) }
    }

    /// Waits for a settled screen that meets the condition and was written.
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
            guard let line else { throw failure(.notEnded) }
            let isCovered = app.screen?.error != nil && line.intention != .acknowledgeError
            throw failure(
                isCovered
                    ? .covered(line: line.number, intention: line.name)
                    : .notOffered(line: line.number, intention: line.name))
        }
    }

    /// - Returns: false if the app ends, the task is cancelled, or an error that the script does not acknowledge covers
    ///   the screen.
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
            let line = ScreenLine(next, in: language, isVerbose: isVerbose)
            if line != lastLine { write(line.text) }
            lastLine = line
        }
    }

    private func failure(_ reason: ScriptFailure.Reason) -> ScriptFailure {
        ScriptFailure(
            reason: reason, screen: app.screen.map { ScreenLine($0, in: language, isVerbose: isVerbose).text })
    }
}

/// The error of a script that could not be completed.
public struct ScriptFailure: Error, Sendable, Equatable {
    public enum Reason: Sendable, Equatable {
        /// The screen did not offer the intention in time. Lines count from 1.
        case notOffered(line: Int, intention: String)
        /// An error covers the screen, and the line does not acknowledge it.
        case covered(line: Int, intention: String)
        /// The work that the last line started did not end in time.
        case notEnded
        /// The script ended with an unacknowledged error.
        case error
    }

    public let reason: Reason
    /// The last screen.
    public let screen: String?
}

extension KooberScreen {
    /// Whether the app is not working on anything but a ride.
    var isSettled: Bool {
        error != nil || (content.isSettled && profile?.isSigningOut != true)
    }
}

extension KooberScreen.Content {
    fileprivate var isSettled: Bool {
        switch self {
        case .launching, .gettingUserLocation: false
        case .welcome: true
        case .signIn(let form), .signUp(let form): !form.isBusy
        case .pickMeUp(let screen): !screen.step.isBusy
        case .waitingForPickup(let screen): !screen.isCancelling
        }
    }
}
