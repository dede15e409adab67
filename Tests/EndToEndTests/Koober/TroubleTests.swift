import KooberKit
import KooberScenarios
import KooberScreens
import KooberTexts
import PouchClient
import PouchDomain
import PouchEntities
import PouchRides
import Testing

/// The errors of a real service as each architecture shows them, and the ways to go on.
@MainActor
@Suite(.timeLimit(.minutes(10)))
struct TroubleTests {
    /// Starts at the welcome screen, with an account for Johnny.
    private func open(
        _ architecture: KooberArchitecture,
        _ body: @escaping @MainActor @Sendable (KooberUser, RideServer) async throws -> Void
    ) async throws {
        try await RideServer.open { @MainActor server in
            try await server.signUp(.johnny)
            let user = KooberUser(architecture, try await server.device())
            try await user.seesWelcome()
            try await body(user, server)
        }
    }

    /// Signs in and loads the options for a trip.
    private func reachOptions(_ user: KooberUser) async throws {
        try await user.signsIn(.johnny)
        try await user.seesMap()
        try await user.choosesTrip(to: "Bondi Beach")
    }

    @Test(arguments: KooberArchitecture.allCases)
    func `a wrong password and an address that is taken`(_ architecture: KooberArchitecture) async throws {
        try await open(architecture) { user, _ in
            let johnny = Rider.johnny
            try user.performs(.goToSignIn)
            try await user.seesForm()
            try user.performs(.signIn(email: johnny.email, password: Secret("wrong horse")))
            try await user.seesError(.signInFailed, .wrongCredentials)
            try user.performs(.acknowledgeError)
            try await user.seesForm()
            try user.performs(.goBack)
            try await user.seesWelcome()
            try user.performs(.goToSignUp)
            try await user.seesForm()
            let account = { (email: String) in
                Intention.signUp(name: "Johnny", email: email, mobileNumber: "", password: Secret("another horse"))
            }
            try user.performs(account(johnny.email))
            try await user.seesError(.signUpFailed, .emailTaken)
            try user.performs(.acknowledgeError)
            try await user.seesForm()
            try user.performs(account("new." + johnny.email))
            try await user.seesMap()
        }
    }

    @Test(arguments: KooberArchitecture.allCases)
    func `a server that is unreachable at each step, and returns`(_ architecture: KooberArchitecture) async throws {
        try await open(architecture) { user, server in
            /// Performs an intention without the server, and acknowledges the error.
            @MainActor func fails(
                _ intention: Intention, _ title: Phrase, orDoubt doubt: ErrorNote? = nil
            ) async throws {
                try await server.leave()
                try user.performs(intention)
                let certain = ErrorNote(title: title, message: .unreachable)
                try await user.seesError(among: [certain] + [doubt].compactMap(\.self))
                try await server.comeBack()
                try user.performs(.acknowledgeError)
            }
            let johnny = Rider.johnny
            try user.performs(.goToSignUp)
            try await user.seesForm()
            try await fails(
                .signUp(name: "Ada", email: "ada@example.org", mobileNumber: "", password: Secret("battery staple")),
                .signUpFailed)
            try await user.seesForm()
            try user.performs(.goBack)
            try await user.seesWelcome()
            try user.performs(.goToSignIn)
            try await user.seesForm()
            let signIn = Intention.signIn(email: johnny.email, password: Secret(johnny.password))
            try await fails(signIn, .signInFailed)
            try await user.seesForm()
            try user.performs(signIn)
            try await user.seesMap()

            try user.performs(.chooseDropoff)
            _ = try await user.seesPlaces()
            try await fails(.searchDropoffs("bondi beach"), .placesNotFound)
            _ = try await user.seesPlaces()
            try user.performs(.searchDropoffs("bondi beach"))
            #expect(try await user.seesPlaces().first?.name == .verbatim("Bondi Beach"))
            try await fails(.selectDropoff("Bondi Beach"), .optionsNotFound)
            #expect(try await user.seesOptions().isEmpty)
            try await user.choosesTrip(to: "Bondi Beach")

            try user.performs(.selectRideOption(Species.wallaby.rawValue))
            try await user.seesConfirmation()
            // Nothing was sent, unless on a kept connection of which the device did not yet know that it had ended.
            try await fails(
                .confirmRide, .rideNotRequested,
                orDoubt: ErrorNote(
                    title: .rideMaybeRequested, message: .sentences([.unreachable, .rideMaybeRequestedAdvice])))
            try await user.seesOptions()
            let ride = try await user.rides(by: .wallaby)
            #expect(ride.status == .requested)

            try await fails(.cancelRide, .rideNotCancelled)
            try await user.seesRide()
            try await server.leave()
            try await server.comeBack()
            try await server.timePasses()
            try await user.seesRide(.accepted)

            try user.performs(.showProfile)
            _ = try await user.seesProfile()
            try await fails(.signOut, .signedOutHereOnly)
            try await user.seesWelcome()
            // The ride goes on.
            try await user.signsIn(johnny)
            #expect(try await user.seesRide().id == ride.id)
        }
    }

    @Test(arguments: KooberArchitecture.allCases)
    func `a launch without the server shows the ride once the server returns`(
        _ architecture: KooberArchitecture
    ) async throws {
        try await RideServer.open { @MainActor server in
            try await server.signUp(.johnny)
            let device = try await server.device()
            let user = KooberUser(architecture, device)
            try await user.seesWelcome()
            try await user.signsIn(.johnny)
            try await user.seesMap()
            try await user.choosesTrip(to: "Bondi Beach")
            let ride = try await user.rides(by: .wallaby)
            try await server.leave()
            // A second app on the same device stands for a restart.
            let later = KooberUser(architecture, device)
            for isBack in [false, true] {
                try await later.seesError(.ridesNotFound, .unreachable)
                if isBack { try await server.comeBack() }
                try later.performs(.acknowledgeError)
            }
            #expect(try await later.seesRide().id == ride.id)
        }
    }

    @Test(arguments: KooberArchitecture.allCases)
    func `a ride in progress that was requested on another device`(_ architecture: KooberArchitecture) async throws {
        try await open(architecture) { user, server in
            try await reachOptions(user)
            let other = try await server.elsewhere()
            try await other.account.signIn(email: Rider.johnny.email, password: Rider.johnny.password)
            let trip = RideWaypoints(
                pickupLocation: GeoPoint(latitude: -33.8568, longitude: 151.2153),
                dropoffLocation: GeoPoint(latitude: -33.8915, longitude: 151.2767))
            let ride = try await other.rides.request(trip, option: Species.wallaroo.rawValue)
            let shown = try await user.rides(by: .wallaby)
            #expect(shown.id == ride.id)
            #expect(shown.fare == .costs(ride.fare))
            try user.performs(.cancelRide)
            try await user.seesRide(.cancelledByRider)
            try user.performs(.startNewRide)
            try await user.seesMap()
            try await user.choosesTrip(to: "Bondi Beach")
            #expect(try await user.rides(by: .wallaby).id != ride.id)
        }
    }

    @Test(arguments: KooberArchitecture.allCases)
    func `an expired fare`(_ architecture: KooberArchitecture) async throws {
        try await open(architecture) { user, server in
            try await reachOptions(user)
            server.clock.advance(by: 301)
            try await user.confirms(.kangaroo)
            try await user.seesError(.rideNotRequested, .quoteExpired)
            try user.performs(.acknowledgeError)
            let options = try await user.seesOptions()
            #expect(try await user.rides(by: .kangaroo).fare == options.last?.fare.price.map(Phrase.costs))
        }
    }

    @Test(arguments: KooberArchitecture.allCases)
    func `a session that ends elsewhere while options are loaded and while a ride is followed`(
        _ architecture: KooberArchitecture
    ) async throws {
        try await open(architecture) { user, server in
            let note = ErrorNote(title: .signedOut, message: .sessionEndedAdvice)
            try await reachOptions(user)
            _ = try await user.searches("Manly Beach")
            try await server.endSessions(of: .johnny)
            // The next request reports the end to the device.
            try user.performs(.selectDropoff("Manly Beach"))
            try await user.sees { $0 == KooberScreen(.welcome, error: note) ? true : nil }
            try user.performs(.acknowledgeError)
            try await user.seesWelcome()

            try await server.signUp(.ada)
            try await user.signsIn(.ada)
            try await user.seesMap()
            try await user.choosesTrip(to: "Bondi Beach")
            _ = try await user.rides(by: .wallaby)
            try await server.timePasses()
            try await user.seesRide(.accepted)
            try await server.endSessions(of: .ada)
            // Without a request, the stream of the ride reports the end.
            #expect(try await user.seesError(note.title, note.message) == .welcome)
            try user.performs(.acknowledgeError)
            try await user.seesWelcome()
        }
    }

    @Test(arguments: KooberArchitecture.allCases)
    func `no kangaroo is free`(_ architecture: KooberArchitecture) async throws {
        try await open(architecture) { user, server in
            try await reachOptions(user)
            try await server.occupy(.calm)
            #expect(try await user.rides(by: .wallaby).status == .requested)
            try await server.timePasses()
            #expect(try await user.seesRide(.noDriversAvailable).driver == nil)
            try await server.release(.calm)
            try user.performs(.startNewRide)
            try await user.seesMap()
            try await user.choosesTrip(to: "Bondi Beach")
            server.clock.advance(by: 1)
            #expect(try await user.rides(by: .wallaby).status == .requested)
            try await server.timePasses()
            try await user.seesRide(.accepted)
        }
    }
}
