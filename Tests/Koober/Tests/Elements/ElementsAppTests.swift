import ClientTesting
import KooberElements
import KooberKit
import KooberScenarios
import KooberScreens
import PouchEntities
import Synchronization
import Testing

/// The whole app: what it follows, and until when.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct ElementsAppTests {
    private let model = GatedModel(storedSession: Sample.session, activeRide: Sample.ride())

    /// Follows the ride and the session.
    private func ridingApp() async throws -> ElementsApp {
        let app = ElementsApp(model: model)
        app.start()
        try await model.passes(.readSession)
        try await model.passes(.findRide)
        try await eventually { model.rides.followerCount == 1 && model.ends.followerCount == 1 }
        return app
    }

    @Test func `a released app follows neither its ride nor its session`() async throws {
        var app: ElementsApp? = try await ridingApp()
        app = nil
        try await eventually { model.rides.followerCount == 0 && model.ends.followerCount == 0 }
        #expect(app == nil)
    }

    @Test(arguments: [false, true])
    func `the ride of one session is not followed in the next`(_ isResumed: Bool) async throws {
        let app = try await ridingApp()
        if isResumed {
            model.rides.finish(throwing: Sample.error)
            try await eventually { app.screen?.offers(.acknowledgeError) == true }
            try app.perform(.acknowledgeError)
            try await eventually { model.rides.followerCount == 1 }
        }
        model.ends.send(Sample.laterError)
        try await model.passes(.delete(Sample.session))
        try await eventually { app.screen?.content == .welcome }
        try await eventually { model.rides.followerCount == 0 && model.ends.followerCount == 0 }
    }

    @Test func `a sign-out that is being sent ends with its session`() async throws {
        let app = try await ridingApp()
        try app.perform(.showProfile)
        try app.perform(.signOut)
        try await model.calls.isAsked { $0 == .signOut(Sample.session) }
        model.ends.send(Sample.error)
        try await model.passes(.delete(Sample.session))
        try await eventually { app.screen?.content == .welcome && model.calls.waiting.isEmpty }
    }

    @Test func `the window is observed while the map is shown, and not under the drop-off list`() async throws {
        let model = GatedModel(storedSession: Sample.session)
        let window = StillWindow()
        let app = ElementsApp(model: model, windowSizes: { window.sizes() })
        app.start()
        try await model.passes(.readSession)
        try await model.passes(.findRide)
        #expect(window.streamCount == 0)
        try await model.passes(.findLocation)
        try await eventually { app.screen?.showsMap == false }
        #expect(window.streamCount == 1)
        try app.perform(.chooseDropoff)
        try await eventually { window.streamCount == 0 }
        try await model.calls.isAsked()
        try app.perform(.cancelDropoff)
        try await eventually { window.streamCount == 1 }
        #expect(app.screen?.showsMap == false)
    }
}

extension KooberScreen {
    fileprivate var showsMap: Bool? {
        if case .pickMeUp(let screen) = content { screen.showsMap } else { nil }
    }
}

/// A window that keeps its size.
private final class StillWindow: Sendable {
    private let streams = Mutex(0)

    /// The number of streams that have not ended.
    var streamCount: Int { streams.withLock { $0 } }

    func sizes() -> AsyncStream<WindowSize> {
        streams.withLock { $0 += 1 }
        return AsyncStream { continuation in
            continuation.onTermination = { _ in self.streams.withLock { $0 -= 1 } }
            continuation.yield(WindowSize(columns: 80, rows: 10))
        }
    }
}
