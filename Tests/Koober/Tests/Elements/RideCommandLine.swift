import ClientTesting
import KooberElements
import KooberKit
import KooberTexts
import PouchEntities
import Testing

/// Koober as a command line without screens. Each command runs one use case or a few.
@MainActor final class RideCommandLine {
    private let app: AppContainer
    private let timePasses: @Sendable () async -> Void
    private let events: EventObserver<AppEvent>
    private var following: (any CancelableUseCase)?
    private var onboarding: OnboardingContainer?
    private var signedIn: SignedInContainer?
    private var pickMeUp: PickMeUpContainer?
    private var waiting: WaitingForPickupContainer?
    /// The error that interrupted the updates of the ride.
    private var interruption: ErrorMessage?

    init(model: any KooberModelFactory, timePasses: @escaping @Sendable () async -> Void = {}) {
        app = AppContainer(model: model)
        self.timePasses = timePasses
        events = EventObserver(app.events)
        events.deliver(to: app) { app, event in
            if case .sessionEnded(let error) = event { app.makePresentOnboardingUseCase(error: error).start() }
        }
        events.startObserving()
    }

    /// Returns the answer, or nil for an unknown or impossible command.
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

    // MARK: Account

    private func launch() async throws -> String {
        LaunchContainer(app: app).makeLaunchUseCase().start()
        try await eventually { app.main.state != .launching }
        return entered()
    }

    private func signUp(_ words: [String]) async throws -> String? {
        guard let onboarding, words.count == 3 else { return nil }
        onboarding.makeSignUpUseCase(name: words[0], email: words[1], mobileNumber: "", password: Secret(words[2]))
            .start()
        return try await authenticated(onboarding)
    }

    private func signIn(_ words: [String]) async throws -> String? {
        guard let onboarding, words.count == 2 else { return nil }
        onboarding.makeSignInUseCase(email: words[0], password: Secret(words[1])).start()
        return try await authenticated(onboarding)
    }

    private func authenticated(_ onboarding: OnboardingContainer) async throws -> String {
        try await eventually { !onboarding.onboarding.state.errors.isEmpty || isSignedIn }
        guard let error = onboarding.onboarding.state.errors.first else { return entered() }
        onboarding.makeFinishedPresentingErrorUseCase(error).start()
        return text(error.message)
    }

    private var isSignedIn: Bool { if case .signedIn = app.main.state { true } else { false } }

    private func profile() -> String? {
        guard let signedIn, case .signedIn(let userSession) = app.main.state else { return nil }
        signedIn.makePresentProfileUseCase(isPresented: true).start()
        defer { signedIn.makePresentProfileUseCase(isPresented: false).start() }
        guard signedIn.signedIn.state.profile == .open, let profile = userSession.profile else { return nil }
        return [profile.name, profile.email, profile.mobileNumber].compactMap(\.self).joined(separator: ", ")
    }

    /// Waits for the end of the session.
    private func stay() async throws -> String? {
        guard signedIn != nil else { return nil }
        try await eventually { !isSignedIn }
        return entered()
    }

    private func signOut() async throws -> String? {
        signedIn?.makeSignOutUseCase().start()
        return try await stay()
    }

    /// Enters the part of the app that the main state names, with a container of its own.
    private func entered() -> String {
        following?.cancel()
        (following, onboarding, signedIn, pickMeUp, waiting) = (nil, nil, nil, nil, nil)
        switch app.main.state {
        case .launching: return ""
        case .onboarding(let error):
            onboarding = OnboardingContainer(app: app, error: error)
            return error.map { text($0.message) } ?? "Welcome"
        case .signedIn(let userSession):
            let signedIn = SignedInContainer(app: app, userSession: userSession)
            self.signedIn = signedIn
            following = signedIn.makeFollowSessionUseCase()
            following?.start()
            return "Hello, \(userSession.profile?.name ?? "")"
        }
    }

    // MARK: Ride

    private func locate() async throws -> String? {
        guard let signedIn else { return nil }
        signedIn.makeFindRideOrLocationUseCase().start()
        try await eventually {
            signedIn.signedIn.state.screen != .gettingUserLocation || !signedIn.signedIn.state.errors.isEmpty
        }
        guard let error = signedIn.signedIn.state.errors.first else { return entered(signedIn) }
        signedIn.makeFinishedPresentingErrorUseCase(error).start()
        return text(error.message)
    }

    private func search(_ query: String) async throws -> String? {
        guard let pickMeUp else { return nil }
        pickMeUp.makePresentDropoffPickerUseCase(isPresented: true).start()
        pickMeUp.makeSearchDropoffLocationsUseCase(query: query, choosesMatch: false).start()
        try await eventually { pickMeUp.pickMeUp.state.dropoffPicker?.isSearching == false }
        return pickMeUp.pickMeUp.state.dropoffPicker?.results.map(\.name).joined(separator: ", ")
    }

    private func go(to name: String) async throws -> String? {
        let results = pickMeUp?.pickMeUp.state.dropoffPicker?.results
        guard let pickMeUp, let place = results?.first(where: { $0.name == name }) else { return nil }
        return try await offer(to: place, pickMeUp)
    }

    private func offer(to place: NamedLocation, _ pickMeUp: PickMeUpContainer) async throws -> String? {
        pickMeUp.makeSelectDropoffLocationUseCase(place, option: nil).start()
        try await eventually { pickMeUp.pickMeUp.state.options?.isLoading == false }
        return pickMeUp.pickMeUp.state.options?.options.map {
            "\($0.option.name) for \(text(.price($0.quote.fare)))"
        }.joined(separator: ", ")
    }

    private func choose(_ id: String) -> String? {
        pickMeUp?.makeSelectRideOptionUseCase(id: id).start()
        return pickMeUp?.pickMeUp.state.options?.selected?.option.name
    }

    private func request() async throws -> String? {
        guard let signedIn, let pickMeUp, let place = pickMeUp.pickMeUp.state.dropoffLocation else { return nil }
        pickMeUp.makeRequestRideUseCase().start()
        try await eventually {
            if case .waitingForPickup = signedIn.signedIn.state.screen { return true }
            return !pickMeUp.pickMeUp.state.errors.isEmpty
        }
        guard let error = pickMeUp.pickMeUp.state.errors.first else { return entered(signedIn) }
        pickMeUp.makeFinishedPresentingErrorUseCase(error).start()
        // The fares may have changed.
        return try await offer(to: place, pickMeUp).map { "\(text(error.message)) \($0)" }
    }

    private func cancel() async throws -> String? {
        guard let waiting else { return nil }
        waiting.makeCancelRideUseCase().start()
        try await eventually { !waiting.waiting.state.isCancelling }
        return text(waiting.waiting.state.ride)
    }

    private func wait() async throws -> String? {
        guard let waiting else { return nil }
        (interruption.map(waiting.makeResumeRideUseCase) ?? waiting.makeFollowRideUseCase()).start()
        for _ in 1...5 { await timePasses() }
        try await eventually { waiting.waiting.state.ride.status.isFinal || !waiting.waiting.state.errors.isEmpty }
        interruption = waiting.waiting.state.errors.first
        guard let error = interruption else { return text(waiting.waiting.state.ride) }
        waiting.makeFinishedPresentingErrorUseCase(error).start()
        return text(error.message)
    }

    private func startNewRide() -> String? {
        waiting?.makeStartNewRideUseCase().start()
        waiting = nil
        return "Where are you?"
    }

    /// Enters the stage of the ride that the signed-in state names, with a container of its own.
    private func entered(_ signedIn: SignedInContainer) -> String {
        (pickMeUp, waiting) = (nil, nil)
        switch signedIn.signedIn.state.screen {
        case .gettingUserLocation: return ""
        case .pickMeUp(let location):
            pickMeUp = PickMeUpContainer(signedIn: signedIn, pickupLocation: location)
            return "You are at \(location.latitude), \(location.longitude)"
        case .waitingForPickup(let ride):
            waiting = WaitingForPickupContainer(signedIn: signedIn, ride: ride)
            return text(ride)
        }
    }

    // MARK: Texts

    private func text(_ phrase: Phrase) -> String { Language.english.text(phrase) }

    private func text(_ ride: Ride) -> String {
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
        case .selectRideOption(let options), .sendingRideRequest(let options), .rideRequestFailed(let options, _):
            options
        }
    }
}
