import ClientTesting
import KooberScreens
import KooberTexts
import PouchEntities
import PouchTerminal
import PouchTesting
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct KooberPageTests {
    private let shown = WindowUnderTest()

    static let screens: [KooberScreen] = {
        let long = String(repeating: "A place with a long name 漢字 ", count: 10)
        var completed = Sydney.waiting(Sydney.ride(.completed, Sydney.bondi.location))
        completed.profile = Sydney.profile(long, mobile: "1")
        let many = (1...30).map { NamedLocation(name: "\($0) " + long, location: Sydney.centre) }
        return [
            KooberScreen(.launching), KooberScreen(.welcome), KooberScreen(.signIn(FormScreen())),
            KooberScreen(.signUp(FormScreen(isBusy: true))), KooberScreen(.gettingUserLocation),
            KooberScreen(
                .welcome, error: ErrorNote(title: .verbatim(long), message: .verbatim(long + long)), isOffline: true),
            Sydney.pickMeUp(.initial), Sydney.search(isSearching: true), Sydney.search("", many), Sydney.loading,
            Sydney.offer(selected: "wallaby"), Sydney.pickMeUp(.sendingRideRequest, to: Sydney.bondi),
            Sydney.waiting(Sydney.ride(.requested)),
            Sydney.waiting(Sydney.ride(.arriving, Sydney.junction.location, eta: 0), isCancelling: true), completed,
        ]
    }()

    @Test(arguments: [(48, 14), (60, 16), (80, 24), (100, 14), (120, 40), (200, 60)], Language.allCases)
    func `Every screen fits into every size, with its title on top and its keys at the bottom`(
        size: (columns: Int, rows: Int), language: Language
    ) async throws {
        let shown = WindowUnderTest(columns: size.columns, rows: size.rows, language: language)
        for screen in Self.screens {
            try await shown.show(screen)
            #expect(shown.lines[0].hasPrefix(" Koober"))
            #expect(!shown.lines[size.rows - 1].isEmpty)
            #expect(shown.lines.allSatisfy { $0.columns <= size.columns })
            if screen.error != nil { #expect(shown.lines[size.rows - 1] == "Enter OK") }
        }
    }

    @Test func `On the smallest terminal the map is above the options`() async throws {
        let shown = WindowUnderTest(columns: 48, rows: 14)
        try await shown.show(Sydney.offer(selected: "kangaroo"))
        let lines = shown.lines
        #expect(lines[0] == " Koober  Your ride" && lines[1...4].joined().contains("●"))
        #expect(lines[1...4].joined().contains("◆"))
        #expect(lines[5].hasPrefix(" ● Pick-up  ◆ Drop-off"))
        #expect(lines[6] == "  To Bondi Beach, 6.5 km as the crow flies.")
        #expect(lines[7] == "  ○ Wallaby  for 1, up to 20 kg      EUR 10.50")
        #expect(lines[8] == "  ● Kangaroo  for 3, up to 150.5 kg  EUR 18.20")
        #expect(lines[9] == "› [ Ride by Kangaroo for EUR 18.20 ]")
        #expect(lines[10] == "  [ Somewhere else ]")
        #expect(lines[13] == "Enter choose  ↑↓ move  p profile  Esc back")
    }

    @Test func `On a wide terminal the options are drawn next to the map, if all of them fit`() async throws {
        let shown = WindowUnderTest(columns: 120, rows: 17, language: .german)
        try await shown.show(Sydney.offer(selected: "kangaroo"))
        let panel = shown.lines.map { String($0.prefix(46)).trimmingPrefix("  ") }
        #expect(
            panel[1...13].map { line in String(line.reversed().drop { $0 == " " }.reversed()) } == [
                "Nach Bondi Beach, 6,5 km Luftlinie.",
                "           ○ Wallaby               10,50 €",
                "    (\\       für 1, bis 20 kg",
                "  _/ '>", " /( )", "~ /_\\_",
                "     (\\(\\  ● Kangaroo              18,20 €",
                "     ( '>    für 3, bis 150,5 kg",
                "   _/ /-", " _/  )/", "~  \\_\\__",
                "› [ Mit Kangaroo für 18,20 € ]",
                "[ Anderes Ziel ]",
            ])
        let pickup = try #require(shown.lines.first { $0.dropFirst(46).contains("●") })
        #expect(!pickup.contains("Start"))
        shown.resize(columns: 120, rows: 16)
        #expect(!shown.text.contains("(\\"))
        #expect(shown.lines[2].hasPrefix("  ○ Wallaby  für 1, bis 20 kg        10,50 €"))
    }

    @Test func `A ride shows its status, its driver, its places and the distance`() async throws {
        try await shown.show(Sydney.waiting(Sydney.ride(.requested)))
        #expect(shown.text.contains("Your ride is requested."))
        #expect(shown.text.contains("⠋ Looking for a kangaroo …"))
        #expect(shown.text.contains("near Hyde Park → Bondi Beach"))
        try await shown.show(Sydney.waiting(Sydney.ride(.accepted, Sydney.junction.location, eta: 121)))
        #expect(shown.text.contains("Skippy is on the way to you, 3 min to go."))
        #expect(shown.text.contains("Skippy, 4.5 of 5 stars, 4.3 km away."))
        #expect(shown.text.contains("It costs EUR 18.20."))
        try await shown.show(Sydney.waiting(Sydney.ride(.inProgress, Sydney.junction.location, eta: 59)))
        #expect(shown.text.contains("You are on your way, 1 min to go.") && !shown.text.contains("[ "))
        try await shown.show(Sydney.waiting(Sydney.ride(.completed)))
        #expect(shown.focused == "› [ Start a new ride ]")
    }

    @Test func `The profile shows the initials and the facts, but no empty ones`() async throws {
        var screen = KooberScreen(.gettingUserLocation, profile: Sydney.profile("Johnny B. Appleseed", mobile: "510"))
        try await shown.show(screen)
        #expect(
            shown.lines[1...8] == [
                "", "   JA", "", "  Name              Johnny B. Appleseed", "  E-mail            johnny@gmail.com",
                "  Mobile number     510", "", "› [ Close ]",
            ])
        screen.profile = Sydney.profile("")
        try await shown.show(screen)
        #expect(shown.lines[1...3] == ["", "  E-mail            johnny@gmail.com", ""])
        #expect(!shown.text.contains("Mobile"))
    }

    @Test(arguments: [(Language.english, "Offline"), (.german, "Keine Verbindung")])
    func `Without a connection the title says so, on every page`(language: Language, banner: String) async throws {
        let shown = WindowUnderTest(language: language)
        for screen in Self.screens {
            for isOffline in [true, false] {
                var screen = screen
                screen.isOffline = isOffline
                try await shown.show(screen)
                #expect(shown.lines[0].hasSuffix(" \(banner)") == isOffline)
            }
        }
    }

    @Test func `A failed search is not shown as an empty result, until the next search`() async throws {
        for (failed, looking, failure, nothing) in [
            (
                Sydney.pickMeUp(.selectRideOption(RideOptionPicker()), to: Sydney.bondi), Sydney.loading,
                "The rides could not be loaded.", "No rides are available from here"
            ),
            (
                Sydney.search(), Sydney.search(isSearching: true), "The places could not be loaded.",
                "No matching places."
            ),
        ] {
            try await shown.show(looking)
            var refused = failed
            refused.error = ErrorNote(title: .optionsNotFound, message: .unreachable)
            try await shown.show(refused)
            try await shown.show(failed)
            #expect(shown.text.contains(failure) && !shown.text.contains(nothing))
            try await shown.show(looking)
            try await shown.show(failed)
            #expect(shown.text.contains(nothing) && !shown.text.contains(failure))
        }
    }

    @Test func `The activity is animated, and the map does not move when it starts or ends`() async throws {
        try await shown.show(Sydney.loading)
        let before = shown.lines
        await shown.clock.tick()
        try await eventually { shown.lines != before }
        #expect(shown.text.contains("⠙ Looking for kangaroos …"))
        try await shown.show(Sydney.offer())
        #expect(!shown.text.contains("Looking"))
        #expect(shown.lines[..<15] == before[..<15])
    }

    @Test func `Twenty seconds without an update of a moving kangaroo are reported, until the next update`()
        async throws
    {
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

    @Test func `Hostile text from a server is made harmless`() async throws {
        let name = "\u{1B}[2J\u{202E}漢\nOpera\u{9B}31m"
        try await shown.show(Sydney.search("", [NamedLocation(name: name, location: Sydney.centre)]))
        let scalars = shown.text.unicodeScalars
        #expect(!scalars.contains { $0 == "\u{1B}" || $0 == "\u{9B}" || $0 == "\u{202E}" })
        #expect(shown.text.contains("漢 Opera"))
        shown.press(.down, .enter)
        #expect(shown.app.intentions == [.selectDropoff(name)])
    }

    @Test func `The app learns the size of the window with each drawing`() async throws {
        var sizes: [WindowSize] = []
        let shown = WindowUnderTest(resized: { sizes.append($0) })
        _ = shown.lines
        shown.resize(columns: 120, rows: 40)
        _ = shown.lines
        #expect(sizes == [WindowSize(columns: 80, rows: 24), WindowSize(columns: 120, rows: 40)])
    }
}
