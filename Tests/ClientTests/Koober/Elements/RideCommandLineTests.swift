import KooberElements
import KooberKit
import KooberScenarios
import PouchEntities
import Testing

/// The use cases hold the whole logic of the app: a command line needs nothing else.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct RideCommandLineTests {
    private func expect(_ lines: [(String, String?)], by commandLine: RideCommandLine) async throws {
        for (line, answer) in lines {
            #expect(try await commandLine.run(line) == answer, "\(line)")
        }
    }

    @Test func `the user signs up, rides, cancels another ride, and signs out`() async throws {
        let service = SampleService()
        let commandLine = RideCommandLine(model: service.model) { await service.timePasses() }
        try await expect(
            [
                ("locate", nil),
                ("launch", "Welcome"),
                ("sign-up Grace grace@example.org hopper", "Hello, Grace"),
                ("locate", "You are at -33.8688, 151.2093"),
                ("go Bondi Beach", nil),
                ("search bondi", "Bondi Beach"),
                ("go Bondi Beach", "Wallaby for 1: 10.00 EUR, Wallaroo for 2: 15.00 EUR, Kangaroo for 3: 20.00 EUR"),
                ("choose wallaroo", "Wallaroo"),
                ("request", "Looking for a kangaroo"),
                ("wait", "You have arrived"),
                ("again", "Where are you?"),
                ("locate", "You are at -33.8688, 151.2093"),
                ("search", "Sydney, Opera House, Bondi Beach, Manly"),
                ("go Manly", "Wallaby for 1: 10.00 EUR, Wallaroo for 2: 15.00 EUR, Kangaroo for 3: 20.00 EUR"),
                ("choose kangaroo", "Kangaroo"),
                ("request", "Looking for a kangaroo"),
                ("cancel", "You cancelled the ride"),
                ("sign-out", "Welcome"),
                ("locate", nil),
            ], by: commandLine)
    }

    @Test func `a signed-in user returns to the ride in progress`() async throws {
        let service = SampleService()
        let first = RideCommandLine(model: service.model) {}
        try await expect(
            [
                ("launch", "Welcome"),
                ("sign-in \(service.rider.email) wrong", "The e-mail address or the password is wrong."),
                ("sign-in \(service.rider.email) \(service.rider.password)", "Hello, Johnny"),
                ("locate", "You are at -33.8688, 151.2093"),
                ("search manly", "Manly"),
                ("go Manly", "Wallaby for 1: 10.00 EUR, Wallaroo for 2: 15.00 EUR, Kangaroo for 3: 20.00 EUR"),
                ("choose wallaby", "Wallaby"),
                ("request", "Looking for a kangaroo"),
            ], by: first)
        let second = RideCommandLine(model: service.model) { await service.timePasses() }
        try await expect(
            [
                ("launch", "Hello, Johnny"),
                ("locate", "Looking for a kangaroo"),
                ("wait", "You have arrived"),
            ], by: second)
    }

    // MARK: Trouble

    private static let offer = "Wallaby for 1: 10.00 EUR, Wallaroo for 2: 15.00 EUR, Kangaroo for 3: 20.00 EUR"

    /// Expects the answer of a command, while the world acts.
    private func expect(
        _ line: String, _ answer: String, by commandLine: RideCommandLine,
        when happens: @MainActor () async throws -> Void
    ) async throws {
        async let said = commandLine.run(line)
        try await happens()
        #expect(try await said == answer, "\(line)")
    }

    private func located(in world: World) async throws -> RideCommandLine {
        try await world.hasSignedIn(world.service.rider)
        let commandLine = RideCommandLine(model: world) {}
        try await expect("launch", "Hello, Johnny", by: commandLine) { try await world.readUserSession.passes() }
        try await expect("locate", "Try again later.", by: commandLine) {
            try await world.activeRide.passes()
            try await world.userLocation.fails()
        }
        try await expect("locate", "You are at -33.8688, 151.2093", by: commandLine) {
            try await world.activeRide.passes()
            try await world.userLocation.passes()
        }
        return commandLine
    }

    private func riding(in world: World) async throws -> RideCommandLine {
        let commandLine = try await located(in: world)
        try await expect("search manly", "Manly", by: commandLine) { try await world.search.passes() }
        try await expect("go Manly", Self.offer, by: commandLine) { try await world.rideOptions.passes() }
        try await expect([("choose wallaby", "Wallaby"), ("choose unicorn", "Wallaby")], by: commandLine)
        try await expect("request", "Try again later. " + Self.offer, by: commandLine) {
            try await world.request.fails()
            try await world.rideOptions.passes()
        }
        try await expect([("choose wallaroo", "Wallaroo")], by: commandLine)
        try await expect("request", "Looking for a kangaroo", by: commandLine) { try await world.request.passes() }
        return commandLine
    }

    @Test func `a failed step is repeated, with new fares`() async throws {
        let world = World(SampleService())
        _ = try await riding(in: world)
        #expect(world.request.asked.map(\.option.id) == ["wallaby", "wallaroo"])
        #expect(world.rideOptions.asked.count == 2)
    }

    @Test func `a ride is followed again after a failure`() async throws {
        let world = World(SampleService())
        let commandLine = try await riding(in: world)
        try await expect("wait", "Try again later.", by: commandLine) { try await world.updates.fails() }
        try await expect("wait", "You have arrived", by: commandLine) {
            while !(try await world.updates.passes().status.isFinal) { try await world.service.timePasses() }
        }
    }

    @Test func `the user looks at the profile until the session ends elsewhere`() async throws {
        let world = World(SampleService())
        let commandLine = try await located(in: world)
        try await expect([("profile", "Johnny, johnny@example.org, 510-736-8754")], by: commandLine)
        try await expect("stay", "Your session has ended elsewhere.", by: commandLine) {
            try await world.service.endSessions(of: world.service.rider)
            try await world.end.passes()
        }
        try await expect([("profile", nil), ("locate", nil)], by: commandLine)
    }
}

/// Koober as a command line without screens. Each command runs one use case or a few.
@MainActor
final class RideCommandLine {
    private let app: AppContainer
    /// Lets the ride change.
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

    private func launch() async throws -> String {
        LaunchContainer(app: app).makeLaunchUseCase().start()
        return text(try await state(of: app.main) { $0 != .launching })
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
        return text(app.main.state)
    }

    private func locate() async throws -> String? {
        guard let signedIn else { return nil }
        signedIn.makeFindRideOrLocationUseCase().start()
        let located = try await state(of: signedIn.signedIn) {
            $0.screen != .gettingUserLocation || !$0.errors.isEmpty
        }
        guard let error = located.errors.first else { return text(located.screen, in: signedIn) }
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
            "\($0.option.name) for \($0.option.capacity): \($0.quote.fare.text)"
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
            return text(signedIn.signedIn.state.screen, in: signedIn)
        }
        pickMeUp.makeFinishedPresentingErrorUseCase(error).start()
        return try await offer(pickMeUp).map { "\(error.message) \($0)" }
    }

    private func cancel() async throws -> String? {
        guard let waiting else { return nil }
        waiting.makeCancelRideUseCase().start()
        return text(try await state(of: waiting.waiting) { !$0.isCancelling }.ride)
    }

    private func wait() async throws -> String? {
        guard let waiting else { return nil }
        waiting.makeFollowRideUseCase().start()
        for _ in 1...5 { await timePasses() }
        let followed = try await state(of: waiting.waiting) { $0.ride.status.isFinal || $0.interruption != nil }
        guard let error = followed.errors.first else { return text(followed.ride) }
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

    /// Waits for the end of the session.
    private func stay() async throws -> String? {
        guard signedIn != nil else { return nil }
        return text(try await state(of: app.main) { if case .onboarding = $0 { true } else { false } })
    }

    private func signOut() async throws -> String? {
        signedIn?.makeSignOutUseCase().start()
        return text(try await state(of: app.main) { if case .onboarding = $0 { true } else { false } })
    }

    // MARK: Answers

    private func text(_ state: MainState) -> String {
        following?.cancel()
        (following, onboarding, signedIn, pickMeUp, waiting) = (nil, nil, nil, nil, nil)
        switch state {
        case .launching:
            return ""
        case .onboarding(let error):
            onboarding = OnboardingContainer(app: app, error: error)
            return error?.message ?? "Welcome"
        case .signedIn(let userSession):
            let signedIn = SignedInContainer(app: app, userSession: userSession)
            self.signedIn = signedIn
            following = signedIn.makeFollowSessionUseCase()
            following?.start()
            return "Hello, \(userSession.profile?.name ?? "")"
        }
    }

    private func text(_ screen: SignedInState.Screen, in signedIn: SignedInContainer) -> String {
        (pickMeUp, waiting) = (nil, nil)
        switch screen {
        case .gettingUserLocation:
            return ""
        case .pickMeUp(let location):
            pickMeUp = PickMeUpContainer(signedIn: signedIn, pickupLocation: location)
            return "You are at \(location.latitude), \(location.longitude)"
        case .waitingForPickup(let ride):
            waiting = WaitingForPickupContainer(signedIn: signedIn, ride: ride)
            return text(ride)
        }
    }

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
        case .selectRideOption(let options), .sendingRideRequest(let options), .rideRequestFailed(let options): options
        }
    }
}
