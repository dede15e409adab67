import KooberScenarios
import KooberScreens
import PouchEntities
import PouchTerminal
import PouchTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct KooberKeyTests {
    private let shown = WindowUnderTest()

    @Test("The welcome screen leads to both forms")
    func welcome() async throws {
        try await shown.show(KooberScreen(.welcome))
        shown.press(.enter, .down, .enter)
        #expect(shown.app.intentions == [.goToSignIn, .goToSignUp])
    }

    @Test(
        "A form is filled in and sent with Enter, hides the password, and keeps its texts while busy and after an error"
    )
    func signIn() async throws {
        let form = KooberScreen(.signIn(FormScreen()))
        try await shown.show(form)
        shown.type("johnny@gmail.com")
        shown.press(.enter)
        shown.type("password")
        #expect(shown.text.contains("› Password          ••••••••\n"))
        shown.press(.enter)
        #expect(shown.app.intentions == [.signIn(email: "johnny@gmail.com", password: Secret("password"))])
        try await shown.show(
            KooberScreen(.signIn(FormScreen(inputsEnabled: false, buttonEnabled: false, isBusy: true))))
        #expect(shown.text.contains("Signing in …"))
        shown.type("x")
        #expect(shown.text.contains("Password          ••••••••\n"))
        try await shown.show(KooberScreen(.signIn(FormScreen()), error: ErrorNote(title: "No", message: "Wrong.")))
        shown.type("x")
        shown.press(.enter)
        #expect(shown.app.intentions.last == .acknowledgeError)
        try await shown.show(form)
        #expect(shown.text.contains("E-mail            johnny@gmail.com"))
        #expect(shown.text.contains("› Password          ••••••••\n"))
        shown.press(.enter)
        #expect(shown.app.intentions.count == 3)
        // Opened again, it is empty.
        shown.press(.escape)
        #expect(shown.app.intentions.last == .goBack)
        try await shown.show(KooberScreen(.welcome))
        try await shown.show(form)
        #expect(!shown.text.contains("johnny"))
        #expect(!shown.text.contains("•"))
    }

    @Test("Empty fields are sent too: the app checks them")
    func emptyForm() async throws {
        try await shown.show(KooberScreen(.signUp(FormScreen())))
        shown.press(.down, .down, .down, .down, .enter)
        #expect(shown.app.intentions == [.signUp(name: "", email: "", mobileNumber: "", password: Secret(""))])
    }

    @Test("A pause in typing starts a search, and Enter starts it at once")
    func search() async throws {
        try await shown.show(Sydney.pickMeUp(.selectDropoffLocation(DropoffPicker())))
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
        shown.type(" b")
        shown.press(.enter)
        #expect(shown.app.intentions == [.searchDropoffs("bondi"), .searchDropoffs("bondi b")])
        #expect(shown.clock.sleeperCount == 0)
    }

    @Test("Enter moves to the results, and chooses one")
    func results() async throws {
        try await shown.show(Sydney.pickMeUp(.selectDropoffLocation(DropoffPicker())))
        shown.type("bondi")
        shown.press(.enter)
        let found = DropoffPicker(query: "bondi", results: [Sydney.bondi, Sydney.junction])
        try await shown.show(Sydney.pickMeUp(.selectDropoffLocation(found)))
        shown.press(.enter, .down, .enter)
        #expect(shown.app.intentions == [.searchDropoffs("bondi"), .selectDropoff("Bondi Junction")])
        shown.press(.down, .enter)
        #expect(shown.app.intentions.last == .cancelDropoff)
        shown.press(.escape)
        #expect(shown.app.intentions.last == .goBack)
    }

    @Test("Any letter typed among the results continues the search")
    func typingAmongResults() async throws {
        let found = DropoffPicker(query: "", results: [Sydney.bondi, Sydney.junction])
        try await shown.show(Sydney.pickMeUp(.selectDropoffLocation(found)))
        shown.press(.down, .down)
        #expect(shown.text.contains("Ctrl-P"))
        shown.type("pq")
        shown.press(.enter)
        #expect(shown.app.intentions == [.searchDropoffs("pq")])
    }

    @Test("Closing the picker drops a search that waits for a pause")
    func abandonedSearch() async throws {
        try await shown.show(Sydney.pickMeUp(.selectDropoffLocation(DropoffPicker())))
        shown.type("bon")
        await shown.clock.sleepers()
        try await shown.show(Sydney.pickMeUp(.initial))
        try await eventually { shown.clock.sleeperCount == 0 }
        try await shown.show(Sydney.pickMeUp(.selectDropoffLocation(DropoffPicker(isSearching: true))))
        #expect(!shown.text.contains("bon"))
        #expect(shown.app.intentions.isEmpty)
    }

    @Test("Enter selects an option, and the next Enter confirms it")
    func options() async throws {
        try await shown.show(Sydney.pickMeUp(.selectRideOption(Sydney.options), to: Sydney.bondi))
        shown.press(.down, .enter)
        #expect(shown.app.intentions == [.selectRideOption("kangaroo")])
        try await shown.show(
            Sydney.pickMeUp(.confirmRequest(Sydney.picked("kangaroo")), to: Sydney.bondi))
        #expect(shown.text.contains("› [ Ride by Kangaroo for 18.20 EUR ]"))
        shown.press(.up, .up, .enter)
        #expect(shown.app.intentions.last == .selectRideOption("wallaby"))
        try await shown.show(
            Sydney.pickMeUp(.confirmRequest(Sydney.picked("wallaby")), to: Sydney.bondi))
        shown.press(.enter)
        #expect(shown.app.intentions.last == .confirmRide)
        shown.press(.down, .enter)
        #expect(shown.app.intentions.last == .chooseDropoff)
    }

    @Test("Esc leads from the options back to the picker")
    func backFromOptions() async throws {
        for step in [
            PickMeUpScreen.Step.selectRideOption(Sydney.options), .confirmRequest(Sydney.picked("wallaby")),
        ] {
            try await shown.show(Sydney.pickMeUp(step, to: Sydney.bondi))
            #expect(shown.text.contains("Esc back"))
            shown.press(.escape)
        }
        #expect(shown.app.intentions == [.chooseDropoff, .chooseDropoff])
        #expect(shown.departures.value == 0)
    }

    @Test("Cancelling a ride asks first, and Enter does not confirm; at its end the next one starts")
    func ride() async throws {
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

    @Test("The profile covers the page, which keeps its state")
    func profile() async throws {
        let picker = KooberScreen.Content.pickMeUp(
            PickMeUpScreen(pickupLocation: Sydney.centre, step: .selectDropoffLocation(DropoffPicker())))
        try await shown.show(KooberScreen(picker))
        shown.type("p")
        #expect(shown.app.intentions.isEmpty)
        shown.press(.control("p"))
        #expect(shown.app.intentions == [.showProfile])
        let johnny = ProfileScreen(name: "Johnny", email: "johnny@gmail.com", mobileNumber: "")
        try await shown.show(KooberScreen(picker, profile: johnny))
        #expect(shown.text.contains("E-mail            johnny@gmail.com"))
        #expect(!shown.text.contains("Mobile"))
        shown.press(.enter, .escape, .down, .enter)
        #expect(shown.app.intentions == [.showProfile, .closeProfile, .goBack, .signOut])
        var leaving = johnny
        leaving.isSigningOut = true
        try await shown.show(KooberScreen(picker, profile: leaving))
        shown.press(.enter)
        #expect(shown.app.intentions.count == 4)
        try await shown.show(KooberScreen(picker))
        #expect(shown.text.contains("› Where to?         p"))
        try await shown.show(Sydney.pickMeUp(.initial))
        shown.type("p")
        #expect(shown.app.intentions.count == 5)
    }

    @Test("A question about an intention that is no longer offered disappears")
    func outdatedQuestion() async throws {
        try await shown.show(Sydney.waiting(Sydney.ride(.arriving)))
        shown.press(.enter)
        #expect(shown.text.contains("Cancel the ride?"))
        try await shown.show(Sydney.waiting(Sydney.ride(.inProgress, Sydney.centre)))
        #expect(!shown.text.contains("Cancel the ride?"))
    }

    @Test("An error has to be acknowledged first, and closes an open question")
    func error() async throws {
        let error = ErrorNote(title: "Lost", message: "The ride cannot be followed.")
        var screen = Sydney.waiting(Sydney.ride(.requested))
        try await shown.show(screen)
        shown.press(.enter)
        screen.error = error
        try await shown.show(screen)
        #expect(shown.text.contains("The ride cannot be followed."))
        #expect(!shown.text.contains("Cancel the ride?"))
        shown.press(.character("y"), .character("p"), .character("q"), .down)
        #expect(shown.app.intentions.isEmpty)
        shown.press(.escape)
        #expect(shown.app.intentions == [.acknowledgeError])
    }

    @Test("Esc asks before leaving if there is no previous screen")
    func leaving() async throws {
        try await shown.show(KooberScreen(.welcome))
        shown.press(.escape)
        #expect(shown.lines.last == "Enter leave  Esc stay")
        shown.press(.escape)
        #expect(shown.departures.value == 0)
        shown.press(.character("q"), .enter)
        #expect(shown.departures.value == 1)
        #expect(shown.app.intentions.isEmpty)
    }
}
