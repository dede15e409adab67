import KooberKit
import KooberScenarios
import KooberScreens
import KooberTexts
import PouchDomain
import PouchEntities
import PouchRides
import Testing

/// A user of an app over the real model layer, with a record of all screens.
@MainActor
final class KooberUser {
    struct AppEnded: Error {}

    private let app: any KooberApp
    private var screens: AsyncStream<KooberScreen>.Iterator
    private(set) var seen: [KooberScreen] = []

    /// Launches the app.
    init(_ architecture: KooberArchitecture, _ model: any KooberModelFactory) {
        app = architecture.makeApp(model: model)
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

    /// Signs in from the welcome screen.
    func signsIn(_ rider: Rider) async throws {
        try performs(.goToSignIn)
        try await seesForm()
        try performs(.signIn(email: rider.email, password: Secret(rider.password)))
        try await sees { $0 == KooberScreen(.gettingUserLocation) ? true : nil }
    }

    /// Searches from the map.
    func searches(_ text: String) async throws -> [DisplayablePlace] {
        try performs(.chooseDropoff)
        _ = try await seesPlaces()
        try performs(.searchDropoffs(text))
        return try await seesPlaces()
    }

    /// Chooses a destination from the map, and waits for the options.
    func choosesTrip(to place: String) async throws {
        _ = try await searches(place)
        try performs(.selectDropoff(place))
        try await seesOptions()
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

    /// Signs out from any screen of a session.
    func signsOut() async throws {
        try performs(.showProfile)
        _ = try await seesProfile()
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
