import KooberElements
import KooberKit
import PouchEntities

/// Koober as a command line: each command is a use case, or a few of them, and there is no screen anywhere.
@MainActor
final class RideCommandLine {
    private let app: AppContainer
    /// Lets something happen to the ride.
    private let timePasses: @Sendable () async -> Void
    private var endOfSession: Subscription<ErrorMessage>?
    private var following: (any CancelableUseCase)?
    private var onboarding: OnboardingContainer?
    private var signedIn: SignedInContainer?
    private var pickMeUp: PickMeUpContainer?
    private var waiting: WaitingForPickupContainer?

    init(model: any KooberModelFactory, timePasses: @escaping @Sendable () async -> Void) {
        app = AppContainer(model: model)
        self.timePasses = timePasses
        let endOfSession = Subscription<ErrorMessage> { [app] in app.makePresentOnboardingUseCase(error: $0).start() }
        app.endOfSession.attach(endOfSession)
        self.endOfSession = endOfSession
    }

    /// What the command says; nil where it does not exist, or not now.
    func run(_ line: String) async throws -> String? {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        let argument = words.count > 1 ? words[1] : ""
        switch words.first {
        case "launch": return try await launch()
        case "sign-up": return try await signUp(argument.split(separator: " ").map(String.init))
        case "sign-in": return try await signIn(argument.split(separator: " ").map(String.init))
        case "locate": return try await locate()
        case "search": return try await search(argument)
        case "go": return try await go(to: argument)
        case "choose": return choose(argument)
        case "request": return try await request()
        case "cancel": return try await cancel()
        case "wait": return try await wait()
        case "again": return startNewRide()
        case "profile": return profile()
        case "stay": return try await stay()
        case "sign-out": return try await signOut()
        default: return nil
        }
    }

    private func launch() async throws -> String {
        app.makeLaunchContainer().makeLaunchUseCase().start()
        return tell(try await state(of: app.main) { $0 != .launching })
    }

    private func signUp(_ words: [String]) async throws -> String? {
        guard let onboarding, words.count == 3 else { return nil }
        let account = NewAccount(name: words[0], email: words[1], mobileNumber: "", password: Secret(words[2]))
        onboarding.makeSignUpUseCase(newAccount: account).start()
        return try await authenticated(onboarding)
    }

    private func signIn(_ words: [String]) async throws -> String? {
        guard let onboarding, words.count == 2 else { return nil }
        onboarding.makeSignInUseCase(email: words[0], password: Secret(words[1])).start()
        return try await authenticated(onboarding)
    }

    private func authenticated(_ onboarding: OnboardingContainer) async throws -> String {
        var isIn = false
        let subscription = Subscription<MainState> { if case .signedIn = $0 { isIn = true } }
        app.main.attach(subscription)
        try await eventually { isIn || !onboarding.onboarding.state.errors.isEmpty }
        if let error = onboarding.onboarding.state.errors.first {
            onboarding.makeFinishedPresentingErrorUseCase(error).start()
            return error.message
        }
        return tell(app.main.state)
    }

    private func locate() async throws -> String? {
        guard let signedIn else { return nil }
        signedIn.makeBeginRideUseCase().start()
        let located = try await state(of: signedIn.signedIn) {
            $0.screen != .gettingUserLocation || !$0.errors.isEmpty
        }
        guard let error = located.errors.first else { return tell(located.screen, in: signedIn) }
        signedIn.makeFinishedPresentingErrorUseCase(error).start()
        return error.message
    }

    private func search(_ query: String) async throws -> String? {
        guard let pickMeUp else { return nil }
        pickMeUp.makePresentDropoffPickerUseCase(isPresented: true).start()
        pickMeUp.makeSearchDropoffLocationsUseCase(query: query).start()
        let found = try await state(of: pickMeUp.pickMeUp) { $0.dropoffPicker?.isSearching == false }
        return found.dropoffPicker?.results.map(\.name).joined(separator: ", ")
    }

    private func go(to name: String) async throws -> String? {
        let results = pickMeUp?.pickMeUp.state.dropoffPicker?.results
        guard let pickMeUp, let place = results?.first(where: { $0.name == name }) else { return nil }
        pickMeUp.makeSelectDropoffLocationUseCase(place).start()
        return try await offer(pickMeUp)
    }

    private func offer(_ pickMeUp: PickMeUpContainer) async throws -> String? {
        pickMeUp.makeLoadRideOptionsUseCase().start()
        let loaded = try await state(of: pickMeUp.pickMeUp) { $0.options?.isLoading == false }
        return loaded.options?.options.map {
            "\($0.option.name) for \($0.option.capacity): \($0.quote.fare.decimal) \($0.quote.fare.currency.code)"
        }.joined(separator: ", ")
    }

    private func choose(_ id: String) -> String? {
        pickMeUp?.makeSelectRideOptionUseCase(id: id).start()
        return pickMeUp?.pickMeUp.state.options?.selected?.option.name
    }

    private func request() async throws -> String? {
        guard let signedIn, let pickMeUp else { return nil }
        pickMeUp.makeRequestRideUseCase().start()
        try await eventually {
            if case .waitingForPickup = signedIn.signedIn.state.screen { return true }
            return !pickMeUp.pickMeUp.state.errors.isEmpty
        }
        guard let error = pickMeUp.pickMeUp.state.errors.first else {
            return tell(signedIn.signedIn.state.screen, in: signedIn)
        }
        pickMeUp.makeFinishedPresentingErrorUseCase(error).start()
        return try await offer(pickMeUp).map { "\(error.message) \($0)" }
    }

    private func cancel() async throws -> String? {
        guard let waiting else { return nil }
        waiting.makeCancelRideUseCase().start()
        return tell(try await state(of: waiting.waiting) { !$0.isCancelling }.ride)
    }

    private func wait() async throws -> String? {
        guard let waiting else { return nil }
        waiting.makeFollowRideUseCase().start()
        for _ in 1...5 { await timePasses() }
        let followed = try await state(of: waiting.waiting) { $0.ride.status.isFinal || $0.interruption != nil }
        guard let error = followed.errors.first else { return tell(followed.ride) }
        waiting.makeFinishedPresentingErrorUseCase(error).start()
        return error.message
    }

    private func startNewRide() -> String? {
        waiting?.makeStartNewRideUseCase().start()
        waiting = nil
        return "Where are you?"
    }

    private func profile() -> String? {
        guard let signedIn, case .signedIn(let userSession) = app.main.state else { return nil }
        signedIn.makePresentProfileUseCase(isPresented: true).start()
        defer { signedIn.makePresentProfileUseCase(isPresented: false).start() }
        guard signedIn.signedIn.state.profile == .open, let profile = userSession.profile else { return nil }
        return [profile.name, profile.email, profile.mobileNumber].compactMap(\.self).joined(separator: ", ")
    }

    /// Until the session ends by itself.
    private func stay() async throws -> String? {
        guard signedIn != nil else { return nil }
        return tell(try await state(of: app.main) { if case .onboarding = $0 { true } else { false } })
    }

    private func signOut() async throws -> String? {
        signedIn?.makeSignOutUseCase().start()
        return tell(try await state(of: app.main) { if case .onboarding = $0 { true } else { false } })
    }

    // MARK: Where a state leads

    private func tell(_ state: MainState) -> String {
        following?.cancel()
        (following, onboarding, signedIn, pickMeUp, waiting) = (nil, nil, nil, nil, nil)
        switch state {
        case .launching:
            return ""
        case .onboarding(let error):
            onboarding = app.makeOnboardingContainer(error: error)
            return error?.message ?? "Welcome"
        case .signedIn(let userSession):
            let signedIn = app.makeSignedInContainer(userSession: userSession)
            self.signedIn = signedIn
            following = signedIn.makeFollowSessionUseCase()
            following?.start()
            return "Hello, \(userSession.profile?.name ?? "")"
        }
    }

    private func tell(_ screen: SignedInState.Screen, in signedIn: SignedInContainer) -> String {
        (pickMeUp, waiting) = (nil, nil)
        switch screen {
        case .gettingUserLocation:
            return ""
        case .pickMeUp(let location):
            pickMeUp = signedIn.makePickMeUpContainer(pickupLocation: location)
            return "You are at \(location.latitude), \(location.longitude)"
        case .waitingForPickup(let ride):
            waiting = signedIn.makeWaitingForPickupContainer(ride: ride)
            return tell(ride)
        }
    }

    private func tell(_ ride: Ride) -> String {
        switch ride.status {
        case .requested: "Looking for a kangaroo"
        case .completed: "You have arrived"
        case .cancelledByRider: "You cancelled the ride"
        default: "The ride is \(ride.status)"
        }
    }
}

extension PickMeUpState {
    fileprivate var options: RideOptions? {
        switch step {
        case .initial: nil
        case .selectRideOption(let options), .sendingRideRequest(let options), .rideRequestFailed(let options): options
        }
    }
}
