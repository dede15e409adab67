import KooberKit
import KooberScenarios
import KooberScreens
import PouchDomain
import PouchEntities
import Testing

/// Somebody who uses an app over a real model layer, without anything between, and remembers all that they have seen.
@MainActor
final class KooberUser {
    struct Gone: Error {}

    private let app: any KooberApp
    private var screens: AsyncStream<KooberScreen>.Iterator
    private(set) var seen: [KooberScreen] = []

    /// The app is launched.
    init(_ architecture: KooberArchitecture, _ model: any KooberModelFactory) {
        app = architecture.makeApp(model: model)
        screens = app.screens().makeAsyncIterator()
        app.start()
    }

    /// Looks on until there comes such a screen.
    @discardableResult
    func sees<Value>(_ isMeant: (KooberScreen) -> Value?) async throws -> Value {
        while true {
            var screens = screens
            let screen = await screens.next(isolation: #isolation)
            self.screens = screens
            guard let screen else { throw Gone() }
            seen.append(screen)
            if let value = isMeant(screen) { return value }
        }
    }

    func wants(_ intention: Intention, _ location: SourceLocation = #_sourceLocation) throws {
        try #require(app.screen?.offers(intention) == true, "\(intention)", sourceLocation: location)
        try app.perform(intention)
    }

    // MARK: What comes, without an error over it

    func seesWelcome() async throws { try await sees { $0 == KooberScreen(.welcome) ? true : nil } }

    func seesForm() async throws {
        try await sees { screen in
            switch screen.content {
            case .signIn(FormScreen()), .signUp(FormScreen()): screen.error == nil ? true : nil
            default: nil
            }
        }
    }

    func seesMap() async throws { try await sees { $0.step == .initial && $0.error == nil ? true : nil } }

    /// What was found.
    func seesPlaces() async throws -> [NamedLocation] {
        try await sees { screen in
            guard screen.error == nil, case .selectDropoffLocation(let picker) = screen.step, !picker.isSearching
            else { return nil }
            return picker.results
        }
    }

    /// What can be chosen from.
    @discardableResult
    func seesOptions() async throws -> [RideOptionPicker.Segment] {
        try await sees { screen in
            guard screen.error == nil, case .selectRideOption(let picker) = screen.step, !picker.isLoading
            else { return nil }
            return picker.segments
        }
    }

    func seesConfirmation() async throws {
        try await sees { screen in
            if screen.error == nil, case .confirmRequest = screen.step { true } else { nil }
        }
    }

    @discardableResult
    func seesRide(_ isMeant: (Ride) -> Bool = { _ in true }) async throws -> Ride {
        try await sees { screen in screen.error == nil ? screen.ride.flatMap { isMeant($0) ? $0 : nil } : nil }
    }

    @discardableResult
    func seesRide(_ status: RideStatus) async throws -> Ride { try await seesRide { $0.status == status } }

    func seesProfile() async throws -> ProfileScreen { try await sees { $0.profile } }

    /// The error, with what it lies over.
    @discardableResult
    func seesError(_ title: String, _ message: String, _ location: SourceLocation = #_sourceLocation) async throws
        -> KooberScreen.Content
    {
        let screen = try await sees { $0.error == nil ? nil : $0 }
        #expect(screen.error == ErrorNote(title: title, message: message), sourceLocation: location)
        return screen.content
    }

    // MARK: What is often done

    /// From the welcome screen until the app asks where its user is.
    func signsIn(_ rider: Rider) async throws {
        try wants(.goToSignIn)
        try await seesForm()
        try wants(.signIn(email: rider.email, password: Secret(rider.password)))
        try await sees { $0 == KooberScreen(.gettingUserLocation) ? true : nil }
    }

    /// From the map.
    func searches(_ text: String) async throws -> [NamedLocation] {
        try wants(.chooseDropoff)
        _ = try await seesPlaces()
        try wants(.searchDropoffs(text))
        return try await seesPlaces()
    }

    /// From the map until there are options.
    func choosesTrip(to place: String) async throws {
        _ = try await searches(place)
        try wants(.selectDropoff(place))
        try await seesOptions()
    }

    /// From the options until the request is sent.
    func confirms(_ option: Species) async throws {
        try wants(.selectRideOption(option.rawValue))
        try await seesConfirmation()
        try wants(.confirmRide)
    }

    /// From the options.
    func rides(by option: Species) async throws -> Ride {
        try await confirms(option)
        return try await seesRide()
    }

    /// From any screen of who is signed in.
    func signsOut() async throws {
        try wants(.showProfile)
        _ = try await seesProfile()
        try wants(.signOut)
    }
}

extension KooberScreen {
    fileprivate var step: PickMeUpScreen.Step? {
        if case .pickMeUp(let screen) = content { screen.step } else { nil }
    }

    var ride: Ride? {
        if case .waitingForPickup(let screen) = content { screen.ride } else { nil }
    }
}
