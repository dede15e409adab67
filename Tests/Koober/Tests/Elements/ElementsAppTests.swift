import ClientTesting
import Foundation
import KooberKit
import KooberScenarios
import KooberScreens
import KooberTexts
import PouchEntities
import PouchTesting
import Testing

@testable import KooberElements

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
        let sizes = TestStream<WindowSize>()
        let app = ElementsApp(
            model: model,
            windowSizes: {
                let stream = sizes.make()
                sizes.send(WindowSize(columns: 80, rows: 10))
                return model.withoutErrors(stream)
            })
        app.start()
        try await model.passes(.readSession)
        try await model.passes(.findRide)
        #expect(sizes.followerCount == 0)
        try await model.passes(.findLocation)
        try await eventually { app.screen?.showsMap == false }
        #expect(sizes.followerCount == 1)
        try app.perform(.chooseDropoff)
        try await eventually { sizes.followerCount == 0 }
        try await model.calls.isAsked()
        try app.perform(.cancelDropoff)
        try await eventually { sizes.followerCount == 1 }
        #expect(app.screen?.showsMap == false)
    }
}

extension KooberScreen {
    fileprivate var showsMap: Bool? { if case .pickMeUp(let screen) = content { screen.showsMap } else { nil } }
}

/// A second subscriber of the broadcaster.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct AnalyticsTests {
    private let lines = Received<String>()
    private let events = Broadcaster<AppEvent>()

    private func makeAnalytics() -> Analytics {
        Analytics(events: events, now: { .sample }) { [lines] in lines.append($0) }
    }

    @Test func `each event is one line, with ids alone`() {
        let analytics = makeAnalytics()
        events.broadcast(.signedIn("ses_1"))
        events.broadcast(.rideRequested("rid_1", option: "wallaby"))
        events.broadcast(.rideEnded("rid_1", .cancelledByDriver))
        events.broadcast(
            .sessionEnded(ErrorMessage(title: .verbatim("Ada"), message: .verbatim("Ada is signed in elsewhere."))))
        events.broadcast(.signedOut)
        #expect(
            lines.values == [
                "2027-01-15T08:00:00Z signed-in", "2027-01-15T08:00:00Z ride-requested rid_1 wallaby",
                "2027-01-15T08:00:00Z ride-ended rid_1 cancelledByDriver", "2027-01-15T08:00:00Z session-ended",
                "2027-01-15T08:00:00Z signed-out",
            ])
        withExtendedLifetime(analytics) {}
    }

    @Test func `it writes as long as it lives`() {
        do { withExtendedLifetime(makeAnalytics()) { events.broadcast(.signedOut) } }
        events.broadcast(.signedOut)
        #expect(lines.values.count == 1)
    }

    @Test func `a whole ride writes its events, and no names, places and prices`() async throws {
        let world = World(SampleService())
        let app = AppUnderTest(world, ElementsApp(model: world, analytics: { [lines] in lines.append($0) }))
        try await app.launchesSignedOut()
        try await app.signsIn(world.service.rider)
        try await app.confirms(try await app.choosesTrip(try await app.findsLocation()))
        try await app.receivesRide()
        try await app.signsOut(on: .waiting(try await app.ridesToTheEnd()))
        try await eventually { lines.values.count == 4 }
        let written = lines.values.map { $0.split(separator: " ", maxSplits: 1).last.map(String.init) ?? "" }
        #expect(written == ["signed-in", "ride-requested rid_2 wallaby", "ride-ended rid_2 completed", "signed-out"])
        let format = Date.ISO8601FormatStyle()
        #expect(lines.values.allSatisfy { (try? format.parse(String($0.prefix(20)))) != nil })
    }
}
