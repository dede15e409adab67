import KooberScenarios
import KooberScreens
import KooberTerminal
import PouchEntities
import PouchTesting
import Testing

struct ScriptTests {
    @Test("Each intention is a line, and comments and empty lines are ignored")
    func intentions() throws {
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
        #expect(Set(ScriptCommand.all.map(\.usage)).count == script.lines.count - 1)
    }

    @Test("All invalid lines are reported with their numbers, without parameters that may be secret")
    func problems() throws {
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
                "2 sign-in takes EMAIL PASSWORD.",
                "3 sign-in takes EMAIL PASSWORD.",
                "4 Unknown intention “jump”.",
                "5 confirm takes no parameters.",
                "6 A quotation mark is not closed.",
            ])
    }

    @Test("Lines may end as on any system, and the last one need not end")
    func lineEnds() throws {
        #expect(try Script("where-to\r\nback\nok").lines.map(\.number) == [1, 2, 3])
        #expect(try Script("").lines.isEmpty)
    }
}

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct ScriptRunnerTests {
    @MainActor
    private final class Paper {
        var lines: [String] = []
    }

    private let clock = ManualClock()
    private let paper = Paper()

    /// - Returns: the failure of the script, if it fails.
    private func run(_ text: String, on app: PlayedApp, isVerbose: Bool = false) async throws -> ScriptFailure? {
        let script = try Script(text)
        let runner = ScriptRunner(app, limit: .seconds(30), clock: clock, isVerbose: isVerbose) { [paper] line in
            paper.lines.append(line)
        }
        do throws(ScriptFailure) {
            try await runner.run(script)
            return nil
        } catch {
            return error
        }
    }

    @Test("Each screen is one line, and an intention waits until the app has settled")
    func lines() async throws {
        let picker = DropoffPicker(results: [Sydney.bondi, Sydney.junction])
        let busy = FormScreen(inputsEnabled: false, buttonEnabled: false, isBusy: true)
        let app = PlayedApp(KooberScreen(.launching), KooberScreen(.welcome)) { intention in
            switch intention {
            case .goToSignIn: [KooberScreen(.signIn(FormScreen()))]
            case .signIn(_, Secret("password")):
                [KooberScreen(.signIn(busy)), KooberScreen(.gettingUserLocation), Sydney.pickMeUp(.initial)]
            case .signIn:
                [
                    KooberScreen(
                        .signIn(FormScreen()), error: ErrorNote(title: "Sign-in failed", message: "No\nsuch person."))
                ]
            case .acknowledgeError: [KooberScreen(.signIn(FormScreen()))]
            case .chooseDropoff:
                [
                    Sydney.pickMeUp(.selectDropoffLocation(DropoffPicker(isSearching: true))),
                    Sydney.pickMeUp(.selectDropoffLocation(picker)),
                ]
            case .searchDropoffs(let text):
                [
                    Sydney.pickMeUp(
                        .selectDropoffLocation(DropoffPicker(query: text, results: picker.results, isSearching: true))),
                    Sydney.pickMeUp(.selectDropoffLocation(DropoffPicker(query: text, results: [Sydney.bondi]))),
                ]
            case .selectDropoff:
                [
                    Sydney.pickMeUp(.selectRideOption(RideOptionPicker(isLoading: true)), to: Sydney.bondi),
                    Sydney.pickMeUp(.selectRideOption(Sydney.options), to: Sydney.bondi),
                ]
            case .selectRideOption(let id):
                [Sydney.pickMeUp(.confirmRequest(Sydney.picked(id)), to: Sydney.bondi)]
            case .confirmRide:
                [
                    Sydney.pickMeUp(.sendingRideRequest, to: Sydney.bondi),
                    Sydney.waiting(Sydney.ride(.requested)),
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
        let failure = try await run(
            """
            go-to-sign-in
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
            """, on: app)
        #expect(failure == nil)
        #expect(
            paper.lines == [
                "launching", "welcome", "sign-in", "sign-in | error: Sign-in failed: No such person.", "sign-in",
                "sign-in, busy, inputs disabled, button disabled", "locating", "map from -33.8688,151.2093",
                "drop-off from -33.8688,151.2093: “”, searching",
                "drop-off from -33.8688,151.2093: “”; Bondi Beach; Bondi Junction",
                "drop-off from -33.8688,151.2093: “bondi”, searching; Bondi Beach; Bondi Junction",
                "drop-off from -33.8688,151.2093: “bondi”; Bondi Beach",
                "options from -33.8688,151.2093 to Bondi Beach, loading",
                "options from -33.8688,151.2093 to Bondi Beach; wallaby Wallaby for 1 at 10.50 EUR; "
                    + "kangaroo Kangaroo for 3 at 18.20 EUR",
                "confirm from -33.8688,151.2093 to Bondi Beach; wallaby Wallaby for 1 at 10.50 EUR; "
                    + "*kangaroo Kangaroo for 3 at 18.20 EUR",
                "sending from -33.8688,151.2093 to Bondi Beach", "ride requested", "ride accepted",
                "ride accepted, cancelling", "ride cancelledByRider",
            ])
    }

    @Test("Facts that differ between runs are written only if asked for")
    func verbosity() async throws {
        let ride = Sydney.waiting(Sydney.ride(.accepted, Sydney.junction.location, eta: 120))
        for (isVerbose, line) in [
            (false, "ride accepted"), (true, "ride accepted; rid_1; Skippy at -33.8912,151.2475; 120 s"),
        ] {
            paper.lines = []
            _ = try await run("", on: PlayedApp(ride), isVerbose: isVerbose)
            #expect(paper.lines == [line])
        }
    }

    @Test("Passwords are never written")
    func secrets() async throws {
        let app = PlayedApp(KooberScreen(.signIn(FormScreen()))) { _ in
            [KooberScreen(.signIn(FormScreen(inputsEnabled: false, buttonEnabled: false, isBusy: true)))]
        }
        async let outcome = run("sign-in a@example.com hunter2\nsign-in a@example.com hunter2", on: app)
        try await eventually { paper.lines.count == 2 }
        await clock.sleepers()
        clock.pass(.seconds(30))
        let failure = try #require(try await outcome)
        #expect(!"\(failure) \(paper.lines)".contains("hunter2"))
    }

    @Test("An intention that is not offered in time fails with its line and the screen, and each line has its own time")
    func timeLimit() async throws {
        let app = PlayedApp(KooberScreen(.welcome)) { _ in [KooberScreen(.signIn(FormScreen()))] }
        async let outcome = run("\ngo-to-sign-in\n\nconfirm", on: app)
        try await eventually { paper.lines.count == 2 }
        await clock.sleepers()
        clock.pass(.seconds(29))
        app.show(KooberScreen(.signIn(FormScreen(inputsEnabled: false))))
        try await eventually { paper.lines.count == 3 }
        clock.pass(.seconds(1))
        let failure = try #require(try await outcome)
        #expect(failure.reason == .notOffered(line: 4, intention: "confirm"))
        #expect(failure.screen == "sign-in, inputs disabled")
        #expect(app.intentions == [.goToSignIn])
    }

    @Test("An unacknowledged error of the last line fails the script")
    func unreadError() async throws {
        let form = KooberScreen(.signIn(FormScreen()))
        let refusal = ErrorNote(title: "Sign-in failed", message: "No such person.")
        for (end, reason) in [("", ScriptFailure.Reason.error), ("\nok", nil)] {
            let app = PlayedApp(form) {
                $0 == .acknowledgeError ? [form] : [KooberScreen(form.content, error: refusal)]
            }
            let failure = try await run("sign-in a@example.com hunter2" + end, on: app)
            #expect(failure?.reason == reason)
            #expect(failure.map { $0.screen == "sign-in | error: Sign-in failed: No such person." } != false)
        }
    }

    @Test("An unacknowledged error fails the next line at once")
    func errorInTheWay() async throws {
        let refusal = ErrorNote(title: "Sign-in failed", message: "No such person.")
        let app = PlayedApp(KooberScreen(.signIn(FormScreen()))) { _ in
            [KooberScreen(.signIn(FormScreen()), error: refusal)]
        }
        let failure = try await run("sign-in a@example.com hunter2\nwhere-to", on: app)
        #expect(failure?.reason == .notOffered(line: 2, intention: "where-to"))
        #expect(failure?.screen == "sign-in | error: Sign-in failed: No such person.")
    }

    @Test("A script ends once the work of its last line has ended")
    func end() async throws {
        let app = PlayedApp(Sydney.pickMeUp(.initial)) { _ in
            [Sydney.pickMeUp(.selectDropoffLocation(DropoffPicker(isSearching: true)))]
        }
        async let outcome = run("where-to", on: app)
        try await eventually { paper.lines.count == 2 }
        app.show(Sydney.pickMeUp(.selectDropoffLocation(DropoffPicker(results: [Sydney.bondi]))))
        #expect(try await outcome == nil)
        #expect(paper.lines.last == "drop-off from -33.8688,151.2093: “”; Bondi Beach")
    }
}
