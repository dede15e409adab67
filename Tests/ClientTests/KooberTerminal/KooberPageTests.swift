import KooberScreens
import PouchEntities
import PouchTerminal
import PouchTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct KooberPageTests {
    static let screens: [KooberScreen] = {
        let busy = FormScreen(inputsEnabled: false, buttonEnabled: false, isBusy: true)
        let long = String(repeating: "A place with a long name 漢字 ", count: 10)
        var completed = Sydney.waiting(Sydney.ride(.completed, Sydney.bondi.location))
        completed.profile = ProfileScreen(name: long, email: long, mobileNumber: "1")
        return [
            KooberScreen(.launching), KooberScreen(.welcome), KooberScreen(.signIn(FormScreen())),
            KooberScreen(.signUp(busy)), KooberScreen(.gettingUserLocation),
            KooberScreen(.welcome, error: ErrorNote(title: long, message: long + long)), Sydney.pickMeUp(.initial),
            Sydney.pickMeUp(.selectDropoffLocation(DropoffPicker(isSearching: true))),
            Sydney.pickMeUp(
                .selectDropoffLocation(
                    DropoffPicker(
                        results: (1...30).map { NamedLocation(name: "\($0) " + long, location: Sydney.centre) }))),
            Sydney.pickMeUp(.selectRideOption(RideOptionPicker(isLoading: true)), to: Sydney.bondi),
            Sydney.pickMeUp(.confirmRequest(Sydney.picked("wallaby")), to: Sydney.bondi),
            Sydney.pickMeUp(.sendingRideRequest, to: Sydney.bondi),
            Sydney.waiting(Sydney.ride(.requested)),
            Sydney.waiting(Sydney.ride(.arriving, Sydney.junction.location, eta: 0), isCancelling: true), completed,
        ]
    }()

    @Test(
        "Every screen fits into every size, with its title on top and its keys at the bottom",
        arguments: [(48, 14), (60, 40), (80, 24), (100, 14), (200, 60)])
    func sizes(columns: Int, rows: Int) async throws {
        let shown = WindowUnderTest(columns: columns, rows: rows)
        for screen in Self.screens {
            try await shown.show(screen)
            #expect(shown.lines[0].hasPrefix(" Koober"))
            #expect(!shown.lines[rows - 1].isEmpty)
            #expect(shown.lines.allSatisfy { $0.columns <= columns })
            if screen.error != nil { #expect(shown.lines[rows - 1] == "Enter OK") }
        }
    }

    @Test("Before the start nothing is drawn, and keys do nothing")
    func beforeStart() {
        let shown = WindowUnderTest()
        shown.press(.enter, .escape)
        #expect(shown.lines.joined().isEmpty)
    }

    @Test("On the smallest terminal the map is above the options")
    func smallest() async throws {
        let shown = WindowUnderTest(columns: 48, rows: 14)
        try await shown.show(
            Sydney.pickMeUp(.confirmRequest(Sydney.picked("kangaroo")), to: Sydney.bondi))
        let lines = shown.lines
        #expect(lines[0] == " Koober  Your ride")
        #expect(lines[1...5].joined().contains("●"))
        #expect(lines[1...5].joined().contains("◆"))
        #expect(lines[6].hasPrefix(" ● pick-up  ◆ drop-off"))
        #expect(lines[7] == "  To Bondi Beach, 6.5 km as the crow flies.")
        #expect(lines[8] == "› ○ Wallaby  for 1                   10.50 EUR")
        #expect(lines[9] == "  ● Kangaroo  for 3                  18.20 EUR")
        #expect(lines[10] == "  [ Ride by Kangaroo for 18.20 EUR ]")
        #expect(lines[11] == "  [ Somewhere else ]")
        #expect(lines[13] == "Enter choose  ↑↓ move  p profile  Esc back")
    }

    @Test("On a wide terminal the map is next to the options")
    func wide() async throws {
        let shown = WindowUnderTest(columns: 120, rows: 30)
        try await shown.show(Sydney.pickMeUp(.selectRideOption(Sydney.options), to: Sydney.bondi))
        #expect(shown.lines[2].hasPrefix("› ○ Wallaby  for 1"))
        let pickup = try #require(shown.lines.first { $0.contains("●") && !$0.contains("pick-up") })
        let before = pickup.prefix { $0 != "●" }
        #expect(before.count > 46)
    }

    @Test("A ride shows its status, its driver and the distance")
    func ride() async throws {
        let shown = WindowUnderTest()
        try await shown.show(Sydney.waiting(Sydney.ride(.requested)))
        #expect(shown.text.contains("Your ride is requested."))
        #expect(shown.text.contains("⠋ Looking for a kangaroo …"))
        try await shown.show(Sydney.waiting(Sydney.ride(.accepted, Sydney.junction.location, eta: 121)))
        #expect(shown.text.contains("Skippy is on the way to you, 3 min to go."))
        #expect(shown.text.contains("Skippy, 4.5 of 5 stars, 4.3 km away."))
        #expect(shown.text.contains("It costs 18.20 EUR."))
        try await shown.show(Sydney.waiting(Sydney.ride(.inProgress, Sydney.junction.location, eta: 59)))
        #expect(shown.text.contains("You are on your way, 1 min to go."))
        #expect(!shown.text.contains("[ "))
        try await shown.show(Sydney.waiting(Sydney.ride(.completed)))
        #expect(shown.text.contains("› [ Start a new ride ]"))
    }

    @Test("A failed search is not shown as an empty result, until the next search")
    func failedLook() async throws {
        let error = ErrorNote(title: "Rides could not be looked up", message: "The server cannot be reached.")
        let shown = WindowUnderTest()
        func look(_ step: PickMeUpScreen.Step, error: ErrorNote? = nil) async throws {
            var screen = Sydney.pickMeUp(step, to: Sydney.bondi)
            screen.error = error
            try await shown.show(screen)
        }
        for (failed, looking, failure, nothing) in [
            (
                PickMeUpScreen.Step.selectRideOption(RideOptionPicker()),
                PickMeUpScreen.Step.selectRideOption(RideOptionPicker(isLoading: true)),
                "The rides could not be loaded.", "No rides are offered from here"
            ),
            (
                .selectDropoffLocation(DropoffPicker()), .selectDropoffLocation(DropoffPicker(isSearching: true)),
                "The places could not be loaded.", "No place has this name."
            ),
        ] {
            try await look(looking)
            try await look(failed, error: error)
            try await look(failed)
            #expect(shown.text.contains(failure))
            #expect(!shown.text.contains(nothing))
            try await look(looking)
            try await look(failed)
            #expect(shown.text.contains(nothing))
            #expect(!shown.text.contains(failure))
        }
    }

    @Test("The activity is animated, and the map does not move when it starts or ends")
    func steadiness() async throws {
        let shown = WindowUnderTest()
        let dropoff = Sydney.bondi
        try await shown.show(Sydney.pickMeUp(.selectRideOption(RideOptionPicker(isLoading: true)), to: dropoff))
        let before = shown.lines
        await shown.clock.tick()
        try await eventually { shown.lines != before }
        #expect(shown.text.contains("⠙ Looking for kangaroos …"))
        try await shown.show(Sydney.pickMeUp(.selectRideOption(Sydney.options), to: dropoff))
        #expect(!shown.text.contains("Looking"))
        #expect(shown.lines[..<15] == before[..<15])
    }

    @Test("The destination is shown before the ride is confirmed")
    func goal() async throws {
        let shown = WindowUnderTest()
        for step in [
            PickMeUpScreen.Step.selectRideOption(Sydney.options), .confirmRequest(Sydney.picked("wallaby")),
        ] {
            try await shown.show(Sydney.pickMeUp(step, to: Sydney.bondi))
            #expect(shown.text.contains("To Bondi Beach, 6.5 km as the crow flies."))
        }
    }

    @Test("Twenty seconds without an update of a moving kangaroo are reported, until the next update")
    func silence() async throws {
        let shown = WindowUnderTest()
        var updates = 0
        /// Shows the kangaroo at a place, and waits until the window waits for the next update: the spinner of the
        /// report sleeps on the same clock.
        func update(_ status: RideStatus, at place: GeoPoint) async throws {
            updates += 1
            try await shown.show(Sydney.waiting(Sydney.ride(status, place)))
            try await eventually { shown.clock.slept.count { $0 == .seconds(20) } == updates }
        }
        for status in [RideStatus.accepted, .arriving, .inProgress] {
            try await update(status, at: Sydney.centre)
            shown.clock.pass(.seconds(19))
            try await update(status, at: Sydney.junction.location)
            shown.clock.pass(.seconds(19))
            #expect(!shown.text.contains("No update"))
            shown.clock.pass(.seconds(1))
            try await shown.see("No update for a while")
            try await update(status, at: Sydney.bondi.location)
            #expect(!shown.text.contains("No update"))
        }
        try await shown.show(Sydney.waiting(Sydney.ride(.completed, Sydney.bondi.location)))
        shown.clock.pass(.seconds(1))
        try await eventually { shown.clock.sleeperCount == 0 }
    }

    @Test("Hostile text from a server is made harmless")
    func hostileText() async throws {
        let shown = WindowUnderTest()
        let name = "\u{1B}[2J\u{202E}漢\nOpera\u{9B}31m"
        try await shown.show(
            Sydney.pickMeUp(
                .selectDropoffLocation(
                    DropoffPicker(results: [NamedLocation(name: name, location: Sydney.centre)])),
                to: Sydney.bondi))
        let scalars = shown.text.unicodeScalars
        #expect(!scalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" || $0 == "\u{202E}" })
        #expect(shown.text.contains("漢 Opera"))
        shown.press(.down, .enter)
        #expect(shown.app.intentions == [.selectDropoff(name)])
    }
}
