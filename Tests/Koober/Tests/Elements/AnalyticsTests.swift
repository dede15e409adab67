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
        let service = SampleService()
        let app = ElementsApp(model: service.model, analytics: { [lines] in lines.append($0) })
        try await app.rides(as: service.rider, letting: service)
        try app.perform(.showProfile)
        try app.perform(.signOut)
        try await eventually { lines.values.count == 4 }
        let written = lines.values.map { $0.split(separator: " ", maxSplits: 1).last.map(String.init) ?? "" }
        #expect(written == ["signed-in", "ride-requested rid_2 wallaby", "ride-ended rid_2 completed", "signed-out"])
        let format = Date.ISO8601FormatStyle()
        #expect(lines.values.allSatisfy { (try? format.parse(String($0.prefix(20)))) != nil })
    }
}

extension ElementsApp {
    /// Signs in, and rides to Bondi Beach.
    fileprivate func rides(as rider: Rider, letting service: SampleService) async throws {
        start()
        try await performs(.goToSignIn)
        try await performs(.signIn(email: rider.email, password: Secret(rider.password)))
        try await performs(.chooseDropoff)
        try await performs(.selectDropoff("Bondi Beach"))
        try await performs(.selectRideOption("wallaby"))
        try await performs(.confirmRide)
        var looks = Looks()
        while screen?.offers(.startNewRide) != true {
            await service.timePasses()
            try await looks.pause()
        }
    }

    /// Waits until the screen offers the intention.
    private func performs(_ intention: Intention) async throws {
        try await eventually { screen?.offers(intention) == true }
        try perform(intention)
    }
}
