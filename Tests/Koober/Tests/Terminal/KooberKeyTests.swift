import ClientTesting
import KooberScreens
import KooberTexts
import PouchEntities
import PouchTerminal
import PouchTesting
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct KooberKeyTests {
    private let shown = WindowUnderTest()

    @Test func `The welcome screen leads to both forms`() async throws {
        try await shown.show(KooberScreen(.welcome))
        shown.press(.enter, .down, .enter)
        #expect(shown.app.intentions == [.goToSignIn, .goToSignUp])
    }

    @Test func `A pause in typing starts a search, and Enter starts it at once`() async throws {
        try await shown.show(Sydney.search())
        shown.type("bon")
        await shown.clock.sleepers()
        shown.clock.pass(.milliseconds(200))
        #expect(shown.app.intentions.isEmpty)
        shown.type("di")
        await shown.clock.sleepers()
        shown.clock.pass(.milliseconds(299))
        #expect(shown.app.intentions.isEmpty)
        shown.clock.pass(.milliseconds(1))
        try await eventually { !shown.app.intentions.isEmpty }
        #expect(shown.app.intentions == [.searchDropoffs("bondi")])
        shown.type(" b", .enter)
        #expect(shown.app.intentions == [.searchDropoffs("bondi"), .searchDropoffs("bondi b")])
        #expect(shown.clock.sleeperCount == 0)
    }

    @Test func `Enter moves to the results, and chooses one`() async throws {
        try await shown.show(Sydney.search())
        shown.type("bondi", .enter)
        try await shown.show(Sydney.search("bondi", [Sydney.bondi, Sydney.junction]))
        shown.press(.enter, .down, .enter)
        #expect(shown.app.intentions == [.searchDropoffs("bondi"), .selectDropoff("Bondi Junction")])
        shown.press(.down, .enter)
        #expect(shown.app.intentions.last == .cancelDropoff)
        shown.press(.escape)
        #expect(shown.app.intentions.last == .goBack)
    }

    @Test func `Any letter typed among the results continues the search`() async throws {
        try await shown.show(Sydney.search("", [Sydney.bondi, Sydney.junction]))
        shown.press(.down, .down)
        #expect(shown.text.contains("Ctrl-P"))
        shown.type("pq", .enter)
        #expect(shown.app.intentions == [.searchDropoffs("pq")])
    }

    @Test func `The field shows a search with which the app starts, and never overwrites what the user types`()
        async throws
    {
        try await shown.show(Sydney.search("bondi", isSearching: true))
        #expect(shown.focused.hasPrefix("› Where to?         bondi"))
        shown.type(" b")
        // The results of the search before arrive late.
        try await shown.show(Sydney.search("bondi", [Sydney.bondi]))
        #expect(shown.focused.hasPrefix("› Where to?         bondi b"))
        shown.press(.enter)
        #expect(shown.app.intentions == [.searchDropoffs("bondi b")])
    }

    @Test func `Closing the picker drops a search that waits for a pause`() async throws {
        try await shown.show(Sydney.search())
        shown.type("bon")
        await shown.clock.sleepers()
        try await shown.show(Sydney.pickMeUp(.initial))
        try await eventually { shown.clock.sleeperCount == 0 }
        try await shown.show(Sydney.search(isSearching: true))
        #expect(!shown.text.contains("bon") && shown.app.intentions.isEmpty)
    }

    @Test func `Enter selects an option, and the next Enter confirms it`() async throws {
        try await shown.show(Sydney.offer())
        shown.press(.down, .enter)
        #expect(shown.app.intentions == [.selectRideOption("kangaroo")])
        try await shown.show(Sydney.offer(selected: "kangaroo"))
        #expect(shown.focused == "› [ Ride by Kangaroo for EUR 18.20 ]")
        shown.press(.up, .up, .enter)
        #expect(shown.app.intentions.last == .selectRideOption("wallaby"))
        try await shown.show(Sydney.offer(selected: "wallaby"))
        shown.press(.enter)
        #expect(shown.app.intentions.last == .confirmRide)
        shown.press(.down, .enter)
        #expect(shown.app.intentions.last == .chooseDropoff)
    }

    @Test func `An app that starts with a selected option has its cursor on the confirmation`() async throws {
        try await shown.show(Sydney.loading)
        try await shown.show(Sydney.offer(selected: "kangaroo"))
        shown.press(.enter)
        #expect(shown.app.intentions == [.confirmRide])
    }

    @Test func `Esc leads from the options back to the picker`() async throws {
        for screen in [Sydney.offer(), Sydney.offer(selected: "wallaby")] {
            try await shown.show(screen)
            #expect(shown.text.contains("Esc back"))
            shown.press(.escape)
        }
        #expect(shown.app.intentions == [.chooseDropoff, .chooseDropoff])
        #expect(shown.departures.value == 0)
    }

    @Test func `Cancelling a ride asks first, and Enter does not confirm; at its end the next one starts`()
        async throws
    {
        try await shown.show(Sydney.waiting(Sydney.ride(.requested)))
        shown.press(.enter, .enter, .escape)
        #expect(shown.app.intentions.isEmpty)
        shown.press(.enter)
        #expect(shown.text.contains("Cancel the ride?"))
        #expect(shown.lines.last == "y cancel it  Esc keep it")
        shown.press(.character("y"))
        #expect(shown.app.intentions == [.cancelRide])
        try await shown.show(Sydney.waiting(Sydney.ride(.requested), isCancelling: true))
        shown.press(.enter)
        #expect(shown.app.intentions.count == 1)
        try await shown.show(Sydney.waiting(Sydney.ride(.cancelledByRider)))
        shown.press(.enter)
        #expect(shown.app.intentions == [.cancelRide, .startNewRide])
    }

    @Test func `The profile covers the page, which keeps its state`() async throws {
        var screen = Sydney.search()
        try await shown.show(screen)
        shown.type("p")
        #expect(shown.app.intentions.isEmpty)
        shown.press(.control("p"))
        #expect(shown.app.intentions == [.showProfile])
        screen.profile = Sydney.profile("Johnny")
        try await shown.show(screen)
        shown.press(.enter, .escape, .down, .enter)
        #expect(shown.app.intentions == [.showProfile, .closeProfile, .goBack, .signOut])
        screen.profile = Sydney.profile("Johnny", isSigningOut: true)
        try await shown.show(screen)
        shown.press(.enter)
        #expect(shown.app.intentions.count == 4)
        screen.profile = nil
        try await shown.show(screen)
        #expect(shown.focused.hasPrefix("› Where to?         p"))
        try await shown.show(Sydney.pickMeUp(.initial))
        shown.type("p")
        #expect(shown.app.intentions.count == 5)
    }

    @Test func `A question about an intention that is no longer offered disappears`() async throws {
        try await shown.show(Sydney.waiting(Sydney.ride(.arriving)))
        shown.press(.enter)
        #expect(shown.text.contains("Cancel the ride?"))
        try await shown.show(Sydney.waiting(Sydney.ride(.inProgress, Sydney.centre)))
        #expect(!shown.text.contains("Cancel the ride?"))
    }

    @Test func `An error has to be acknowledged first, and closes an open question`() async throws {
        var screen = Sydney.waiting(Sydney.ride(.requested))
        try await shown.show(screen)
        shown.press(.enter)
        screen.error = ErrorNote(title: .rideNotFollowed, message: .unreachable)
        try await shown.show(screen)
        #expect(shown.text.contains("Your ride cannot be followed"))
        #expect(!shown.text.contains("Cancel the ride?"))
        shown.press(.character("y"), .character("p"), .character("q"), .down)
        #expect(shown.app.intentions.isEmpty)
        shown.press(.escape)
        #expect(shown.app.intentions == [.acknowledgeError])
    }

    @Test func `Esc asks before leaving if there is no previous screen`() async throws {
        try await shown.show(KooberScreen(.welcome))
        shown.press(.escape)
        #expect(shown.lines.last == "Enter leave  Esc stay")
        shown.press(.escape)
        #expect(shown.departures.value == 0)
        shown.press(.character("q"), .enter)
        #expect(shown.departures.value == 1 && shown.app.intentions.isEmpty)
    }

    @Test func `Before the start nothing is drawn, and keys do nothing`() {
        shown.press(.enter, .escape)
        #expect(shown.lines.joined().isEmpty)
    }
}
