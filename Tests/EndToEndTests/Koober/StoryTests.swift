import Foundation
import KooberKit
import KooberScenarios
import KooberScreens
import KooberTexts
import PouchDomain
import PouchEntities
import PouchRides
import Testing

/// One long story in each architecture, over an equal server each.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct StoryTests {
    @Test func `the same story shows the same screens in all architectures`() async throws {
        var seen: [KooberArchitecture: [KooberScreen]] = [:]
        for architecture in KooberArchitecture.allCases {
            let screens = Recorded()
            try await RideServer.open { @MainActor server in
                let user = KooberUser(architecture, try await server.device())
                try await play(user, server)
                screens.all = comparable(user.seen)
            }
            seen[architecture] = screens.all
        }
        let first = try #require(seen[.mvvm])
        #expect(first.count == 34)
        for architecture in KooberArchitecture.allCases {
            let other = try #require(seen[architecture])
            for (index, pair) in zip(first, other).enumerated() {
                try #require(pair.0 == pair.1, "screen \(index) of \(architecture)")
            }
            #expect(first.count == other.count, "\(architecture)")
        }
    }

    @MainActor private final class Recorded {
        var all: [KooberScreen] = []
    }

    private func play(_ user: KooberUser, _ server: RideServer) async throws {
        let (johnny, ada) = (Rider.johnny, Rider.ada)
        try await server.signUp(ada)
        try await user.seesWelcome()
        try await user.opens(.goToSignUp)
        try user.performs(
            .signUp(
                name: johnny.name, email: johnny.email, mobileNumber: johnny.mobileNumber,
                password: Secret(johnny.password)))
        try await user.seesMap()

        #expect(try await user.searches("sydeny oprea").contains { $0.name == .verbatim("Sydney Opera House") })
        try user.performs(.selectDropoff("Sydney Opera House"))
        let options = try await user.seesOptions()
        #expect(options.map(\.id) == ["wallaby", "wallaroo", "kangaroo"])
        let fares = options.compactMap(\.fare.price?.amount)
        #expect(fares.count == 3 && fares == fares.sorted())
        try user.performs(.selectRideOption("kangaroo"))
        try await user.seesConfirmation()

        // The first kangaroo turns back, and then another one is free.
        try await server.occupy(.calm)
        let ride = try await user.rides(by: .wallaby)
        #expect(ride.status == .requested && ride.fare == options[0].fare.price.map(Phrase.costs))
        try await server.add(.turningBack(on: ride.id, .wallaby))
        try await server.timePasses()
        #expect(try await user.seesRide(.accepted).driver?.name == "Ziggy")
        try await server.timePasses()
        try await user.seesRide(.requested)
        try await server.release(.calm)
        for status in [RideStatus.accepted, .arriving, .inProgress, .completed] {
            try await server.timePasses()
            #expect(try await user.seesRide(status).driver?.name.hasPrefix("Skip") == true)
        }

        let shown = Profile(id: "", name: johnny.name, email: johnny.email, mobileNumber: johnny.mobileNumber)
        #expect(try await user.opensProfile() == ProfileScreen(shown))
        try user.performs(.closeProfile)
        try await user.seesRide(.completed)
        try await user.startsAgain()
        try await user.signsOut()
        try await user.seesWelcome()

        try await user.reachesMap(as: ada)
        #expect(try await user.opensProfile().email == ada.email)
    }
}

/// Each scenario in each architecture, over a real server.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct ServedScenarioTests {
    @Test(arguments: Scenario.all, KooberArchitecture.allCases)
    func `each scenario shows its screens over a server`(_ scenario: Scenario, _ architecture: KooberArchitecture)
        async throws
    {
        try await RideServer.open { @MainActor server in
            // The text of the screens does not depend on the server, so that one language is enough.
            try await scenario.run(
                AppUnderTest(
                    architecture, World(ServedRides(server)), on: TerminalRendering(in: .german),
                    opening: scenario.destination))
        }
    }
}

/// Removes everything that differs between two runs of the same story.
///
/// Replaces the ids of rides by numbers, and removes times and the locations of kangaroos: these are reported once a
/// second of the machine's time, not of the server's.
func comparable(_ seen: [KooberScreen]) -> [KooberScreen] {
    var ids: [Ride.ID] = []
    var screens: [KooberScreen] = []
    for var screen in seen {
        if case .waitingForPickup(var waiting) = screen.content {
            let ride = waiting.ride
            if !ids.contains(ride.id) { ids.append(ride.id) }
            waiting.ride.id = "ride \(ids.firstIndex(of: ride.id) ?? 0)"
            waiting.ride.statusText = .verbatim(ride.status.rawValue)
            waiting.ride.secondsLeft = nil
            waiting.ride.driver?.text = .verbatim(ride.driver?.name ?? "")
            waiting.ride.driver?.location = ride.pickup.location
            screen.content = .waitingForPickup(waiting)
        }
        if screens.last != screen { screens.append(screen) }
    }
    return screens
}

extension Phrase {
    /// The price that it states alone.
    var price: Money? {
        if case .price(let money) = self { money } else { nil }
    }
}

/// A user of an app over the real model layer, with a record of all screens.
@MainActor
final class KooberUser {
    struct AppEnded: Error {}

    /// The model layer of the device.
    let device: any KooberModelFactory
    private let app: any KooberApp
    private var screens: AsyncStream<KooberScreen>.Iterator
    private(set) var seen: [KooberScreen] = []

    /// Launches the app.
    init(_ architecture: KooberArchitecture, _ device: any KooberModelFactory) {
        self.device = device
        app = architecture.makeApp(model: device)
        screens = app.screens().makeAsyncIterator()
        app.start()
    }

    /// Waits for a screen that fits, and returns its value.
    @discardableResult
    func sees<Value>(_ isMeant: (KooberScreen) -> Value?) async throws -> Value {
        while true {
            var screens = screens
            let screen = await screens.next(isolation: #isolation)
            self.screens = screens
            guard let screen else { throw AppEnded() }
            seen.append(screen)
            if let value = isMeant(screen) { return value }
        }
    }

    func performs(_ intention: Intention, _ location: SourceLocation = #_sourceLocation) throws {
        try #require(app.screen?.offers(intention) == true, "\(intention)", sourceLocation: location)
        try app.perform(intention)
    }

    // MARK: Screens without an error
    func seesWelcome() async throws { try await sees { $0 == KooberScreen(.welcome) ? true : nil } }

    func seesForm() async throws {
        try await sees { screen in
            switch screen.content {
            case .signIn(let form), .signUp(let form): !form.isBusy && screen.error == nil ? true : nil
            default: nil
            }
        }
    }

    func seesMap() async throws { try await sees { $0.step == .initial && $0.error == nil ? true : nil } }

    /// Returns the results.
    func seesPlaces() async throws -> [DisplayablePlace] {
        try await sees { screen in
            guard screen.error == nil, case .selectDropoffLocation(let picker) = screen.step, !picker.isSearching
            else { return nil }
            return picker.results
        }
    }

    /// Returns the options.
    @discardableResult
    func seesOptions() async throws -> [DisplayableRideOption] {
        try await sees { screen in
            guard screen.error == nil, case .selectRideOption(let picker) = screen.step, !picker.isLoading
            else { return nil }
            return picker.options
        }
    }

    func seesConfirmation() async throws {
        try await sees { screen in
            if screen.error == nil, case .confirmRequest = screen.step { true } else { nil }
        }
    }

    @discardableResult
    func seesRide(_ isMeant: (DisplayableRide) -> Bool = { _ in true }) async throws -> DisplayableRide {
        try await sees { screen in screen.error == nil ? screen.ride.flatMap { isMeant($0) ? $0 : nil } : nil }
    }

    @discardableResult
    func seesRide(_ status: RideStatus) async throws -> DisplayableRide { try await seesRide { $0.status == status } }
    func seesProfile() async throws -> ProfileScreen { try await sees { $0.profile } }

    /// Expects the error, and returns the content under it.
    @discardableResult
    func seesError(_ title: Phrase, _ message: Phrase, _ location: SourceLocation = #_sourceLocation) async throws
        -> KooberScreen.Content
    {
        try await seesError(among: [ErrorNote(title: title, message: message)], location)
    }

    /// Expects one of the errors, and returns the content under it.
    @discardableResult
    func seesError(among notes: [ErrorNote], _ location: SourceLocation = #_sourceLocation) async throws
        -> KooberScreen.Content
    {
        // A screen that has changed since cannot be answered.
        let screen = try await sees { $0.error == nil || $0 != app.screen ? nil : $0 }
        let note = try #require(screen.error, sourceLocation: location)
        #expect(notes.contains(note), sourceLocation: location)
        return screen.content
    }

    // MARK: Steps
    /// Opens the form to sign in or to sign up.
    func opens(_ form: Intention) async throws {
        try performs(form)
        try await seesForm()
    }

    /// Signs in from the welcome screen.
    func signsIn(_ rider: Rider) async throws {
        try await opens(.goToSignIn)
        try performs(.signIn(email: rider.email, password: Secret(rider.password)))
        try await sees { $0 == KooberScreen(.gettingUserLocation) ? true : nil }
    }

    /// Signs in, and waits for the map.
    func reachesMap(as rider: Rider) async throws {
        try await signsIn(rider)
        try await seesMap()
    }

    /// Leaves a ride that has ended.
    func startsAgain() async throws {
        try performs(.startNewRide)
        try await seesMap()
    }

    /// Searches from the map.
    func searches(_ text: String) async throws -> [DisplayablePlace] {
        try performs(.chooseDropoff)
        _ = try await seesPlaces()
        try performs(.searchDropoffs(text))
        return try await seesPlaces()
    }

    /// Chooses a destination from the map, and waits for the options.
    @discardableResult
    func choosesTrip(to place: String = "Bondi Beach") async throws -> [DisplayableRideOption] {
        _ = try await searches(place)
        try performs(.selectDropoff(place))
        return try await seesOptions()
    }

    /// Selects an option and confirms the ride.
    func confirms(_ option: Species) async throws {
        try performs(.selectRideOption(option.rawValue))
        try await seesConfirmation()
        try performs(.confirmRide)
    }

    /// Confirms an option, and waits for the ride.
    func rides(by option: Species) async throws -> DisplayableRide {
        try await confirms(option)
        return try await seesRide()
    }

    /// Opens the profile from any screen of a session.
    @discardableResult
    func opensProfile() async throws -> ProfileScreen {
        try performs(.showProfile)
        return try await seesProfile()
    }

    /// Signs out from any screen of a session.
    func signsOut() async throws {
        try await opensProfile()
        try performs(.signOut)
    }
}

extension KooberScreen {
    fileprivate var step: PickMeUpScreen.Step? {
        if case .pickMeUp(let screen) = content { screen.step } else { nil }
    }

    var ride: DisplayableRide? {
        if case .waitingForPickup(let screen) = content { screen.ride } else { nil }
    }
}
