import ClientTesting
import KooberScreens
import KooberTerminal
import KooberTexts
import PouchEntities
import PouchTesting
import Testing

struct ScriptTests {
    @Test func `Each intention is a line, and comments and empty lines are ignored`() throws {
        let script = try Script(
            """
            # Johnny goes to the beach.
            go-to-sign-in
            sign-in johnny@gmail.com "pass word"   # his own
            go-to-sign-up
            sign-up "Ann Example" ann@example.com '' "a \\"quoted\\" # \\\\"

            where-to
            search bondi  beach
            search
            choose Mrs Macquarie’s Chair
            cancel-where-to
            option kangaroo
            confirm
            cancel-ride
            new-ride
            profile
            close-profile
            sign-out
            back
            ok
            """)
        #expect(
            script.lines.map(\.intention) == [
                .goToSignIn, .signIn(email: "johnny@gmail.com", password: Secret("pass word")), .goToSignUp,
                .signUp(
                    name: "Ann Example", email: "ann@example.com", mobileNumber: "",
                    password: Secret("a \"quoted\" # \\")),
                .chooseDropoff, .searchDropoffs("bondi beach"), .searchDropoffs(""),
                .selectDropoff("Mrs Macquarie’s Chair"), .cancelDropoff, .selectRideOption("kangaroo"), .confirmRide,
                .cancelRide, .startNewRide, .showProfile, .closeProfile, .signOut, .goBack, .acknowledgeError,
            ])
        #expect(script.lines.map(\.number) == [2, 3, 4, 5] + Array(7...20))
        // A search with and without a text is one of them.
        #expect(Set(IntentionCommand.all.map(\.usage)).count == script.lines.count - 1)
    }

    @Test func `All invalid lines are reported with their numbers, without parameters that may be secret`() throws {
        let text = """
            where-to
            sign-in johnny@gmail.com
            sign-in johnny@gmail.com my secret
            jump \u{1B}[2J
            confirm now
            choose "Bondi
            """
        let error = #expect(throws: ScriptError.self) { try Script(text) }
        #expect(
            error?.problems.map { "\($0.line) \($0.text)" } == [
                "2 sign-in takes EMAIL PASSWORD.", "3 sign-in takes EMAIL PASSWORD.", "4 Unknown intention “jump”.",
                "5 confirm takes no parameters.", "6 A quotation mark is not closed.",
            ])
    }

    @Test func `Lines may end as on any system, and the last one need not end`() throws {
        #expect(try Script("where-to\r\nback\nok").lines.map(\.number) == [1, 2, 3])
        #expect(try Script("").lines.isEmpty)
    }
}

@MainActor @Suite(.timeLimit(.minutes(5)))
struct ScriptRunnerTests {
    private let clock = ManualClock()
    private let paper = Received<String>()
    private let refusal = ErrorNote(title: .signInFailed, message: .verbatim("No\nsuch person."))

    /// - Returns: the failure of the script, if it fails.
    private func run(
        _ text: String, on app: PlayedApp, in language: Language = .english, isVerbose: Bool = false
    ) async throws -> ScriptFailure? {
        let script = try Script(text)
        let runner = ScriptRunner(
            app, limit: .seconds(30), clock: clock, language: language, isVerbose: isVerbose
        ) { [paper] line in paper.append(line) }
        do throws(ScriptFailure) {
            try await runner.run(script)
            return nil
        } catch {
            return error
        }
    }

    /// An app that answers each step of a ride, also with the screens on the way.
    private func rideApp() -> PlayedApp {
        let near = [Sydney.bondi, Sydney.junction]
        return PlayedApp(KooberScreen(.launching), KooberScreen(.welcome)) { [refusal] intention in
            switch intention {
            case .goToSignIn, .acknowledgeError: [KooberScreen(.signIn(FormScreen()))]
            case .signIn("", _): [KooberScreen(.signIn(FormScreen(problems: [.email: .emailMissing])))]
            case .signIn(_, Secret("password")):
                [
                    KooberScreen(.signIn(FormScreen(isBusy: true))), KooberScreen(.gettingUserLocation),
                    Sydney.pickMeUp(.initial),
                ]
            case .signIn: [KooberScreen(.signIn(FormScreen()), error: refusal)]
            case .chooseDropoff: [Sydney.search(isSearching: true), Sydney.search("", near)]
            case .searchDropoffs(let text):
                [Sydney.search(text, near, isSearching: true), Sydney.search(text, [Sydney.bondi])]
            case .selectDropoff: [Sydney.loading, Sydney.offer()]
            case .selectRideOption(let id): [Sydney.offer(selected: id)]
            case .confirmRide:
                [
                    Sydney.pickMeUp(.sendingRideRequest, to: Sydney.bondi), Sydney.waiting(Sydney.ride(.requested)),
                    Sydney.waiting(Sydney.ride(.accepted, Sydney.junction.location, eta: 120)),
                    Sydney.waiting(Sydney.ride(.accepted, Sydney.bondi.location, eta: 90)),
                ]
            case .cancelRide:
                [
                    Sydney.waiting(Sydney.ride(.accepted, Sydney.bondi.location), isCancelling: true),
                    Sydney.waiting(Sydney.ride(.cancelledByRider)),
                ]
            default: []
            }
        }
    }

    @Test func `Each screen is one line that names its places, and an intention waits until the app has settled`()
        async throws
    {
        let failure = try await run(
            """
            go-to-sign-in
            sign-in "" password
            sign-in johnny@gmail.com wrong
            ok
            sign-in johnny@gmail.com password
            where-to
            search bondi
            choose Bondi Beach
            option kangaroo
            option kangaroo
            confirm
            cancel-ride
            """, on: rideApp())
        #expect(failure == nil)
        #expect(
            paper.values == [
                "launching", "welcome", "sign-in", "sign-in; email: Enter your e-mail address.",
                "sign-in | error: Sign-in failed: No such person.", "sign-in", "sign-in, busy", "locating",
                "map from near Hyde Park", "drop-off from near Hyde Park: “”, searching",
                "drop-off from near Hyde Park: “”; Bondi Beach; Bondi Junction",
                "drop-off from near Hyde Park: “bondi”, searching; Bondi Beach; Bondi Junction",
                "drop-off from near Hyde Park: “bondi”; Bondi Beach",
                "options from near Hyde Park to Bondi Beach, loading",
                "options from near Hyde Park to Bondi Beach; wallaby Wallaby for 1 at EUR 10.50; "
                    + "kangaroo Kangaroo for 3 at EUR 18.20",
                "confirm from near Hyde Park to Bondi Beach; wallaby Wallaby for 1 at EUR 10.50; "
                    + "*kangaroo Kangaroo for 3 at EUR 18.20",
                "sending from near Hyde Park to Bondi Beach", "ride requested", "ride accepted",
                "ride accepted, cancelling", "ride cancelledByRider",
            ])
    }

    @Test func `In German, the words of the lines stay, and their texts are German`() async throws {
        let lines = """
            go-to-sign-in
            sign-in "" password
            sign-in johnny@gmail.com password
            where-to
            choose Bondi Beach
            """
        #expect(try await run(lines, on: rideApp(), in: .german) == nil)
        #expect(
            paper.values == [
                "launching", "welcome", "sign-in", "sign-in; email: Gib deine E-Mail-Adresse ein.", "sign-in, busy",
                "locating", "map from nahe Hyde Park", "drop-off from nahe Hyde Park: “”, searching",
                "drop-off from nahe Hyde Park: “”; Bondi Beach; Bondi Junction",
                "options from nahe Hyde Park to Bondi Beach, loading",
                "options from nahe Hyde Park to Bondi Beach; wallaby Wallaby für 1 at 10,50 €; "
                    + "kangaroo Kangaroo für 3 at 18,20 €",
            ])
    }

    @Test(arguments: [
        (false, "ride accepted"), (true, "ride accepted; rid_1; Skippy near Centennial Park; 120 s"),
    ])
    func `Facts that differ between runs are written only if asked for`(isVerbose: Bool, line: String) async throws {
        let ride = Sydney.waiting(Sydney.ride(.accepted, Sydney.junction.location, eta: 120))
        _ = try await run("", on: PlayedApp(ride), isVerbose: isVerbose)
        #expect(paper.values == [line])
    }

    @Test func `A profile, its end and a lost connection are part of the line`() async throws {
        var screen = Sydney.pickMeUp(.initial)
        screen.profile = Sydney.profile("Johnny", isSigningOut: true)
        screen.isOffline = true
        let line = ScreenLine(screen)
        #expect(line.text == "map from near Hyde Park | profile: Johnny, johnny@gmail.com, signing out | offline")
    }

    @Test func `Passwords are never written`() async throws {
        let app = PlayedApp(KooberScreen(.signIn(FormScreen()))) { _ in
            [KooberScreen(.signIn(FormScreen(isBusy: true)))]
        }
        async let outcome = run("sign-in a@example.com hunter2\nsign-in a@example.com hunter2", on: app)
        try await eventually { paper.values.count == 2 }
        await clock.sleepers()
        clock.pass(.seconds(30))
        let failure = try #require(try await outcome)
        #expect(!"\(failure) \(paper.values)".contains("hunter2"))
    }

    @Test func `An intention that is not offered in time fails with its line and the screen`() async throws {
        let app = PlayedApp(KooberScreen(.welcome)) { _ in [KooberScreen(.signIn(FormScreen()))] }
        async let outcome = run("\ngo-to-sign-in\n\nconfirm", on: app)
        try await eventually { paper.values.count == 2 }
        await clock.sleepers()
        // Neither time nor another screen starts the limit of a line again.
        clock.pass(.seconds(29))
        app.show(KooberScreen(.signIn(FormScreen(isBusy: true))))
        try await eventually { paper.values.count == 3 }
        clock.pass(.seconds(1))
        let failure = try #require(try await outcome)
        #expect(failure.reason == .notOffered(line: 4, intention: "confirm"))
        #expect(failure.screen == "sign-in, busy")
        #expect(app.intentions == [.goToSignIn])
    }

    @Test(
        arguments: [("", .error), ("\nwhere-to", .covered(line: 2, intention: "where-to")), ("\nok", nil)]
            as [(String, ScriptFailure.Reason?)])
    func `An unacknowledged error fails the next line at once, or else the script`(
        end: String, reason: ScriptFailure.Reason?
    ) async throws {
        let form = KooberScreen(.signIn(FormScreen()))
        let app = PlayedApp(form) { [refusal] in
            $0 == .acknowledgeError ? [form] : [KooberScreen(form.content, error: refusal)]
        }
        let failure = try await run("sign-in a@example.com hunter2" + end, on: app)
        #expect(failure?.reason == reason)
        #expect(failure.map { $0.screen == "sign-in | error: Sign-in failed: No such person." } != false)
    }

    @Test func `A script ends once the work of its last line has ended`() async throws {
        let app = PlayedApp(Sydney.pickMeUp(.initial)) { _ in [Sydney.search(isSearching: true)] }
        async let outcome = run("where-to", on: app)
        try await eventually { paper.values.count == 2 }
        app.show(Sydney.search("", [Sydney.bondi]))
        #expect(!app.isFinished)
        #expect(try await outcome == nil)
        // The process may end now: everything that the app shows is stored.
        #expect(app.isFinished)
        #expect(paper.values.last == "drop-off from near Hyde Park: “”; Bondi Beach")
    }
}
