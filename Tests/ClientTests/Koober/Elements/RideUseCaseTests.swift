import KooberElements
import KooberKit
import KooberScenarios
import PouchEntities
import Testing

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct RideUseCaseTests {
    private let world = World(SampleService())

    private func signedIn() async throws -> SignedInContainer {
        let session = try await world.hasSignedIn(world.service.rider)
        return SignedInContainer(app: AppContainer(model: world), userSession: session)
    }

    private func pickMeUp() async throws -> PickMeUpContainer {
        PickMeUpContainer(signedIn: try await signedIn(), pickupLocation: SampleService.sydney)
    }

    private func waiting() async throws -> WaitingForPickupContainer { try await riding().1 }

    private func riding() async throws -> (SignedInContainer, WaitingForPickupContainer) {
        try await world.hasRide(world.service.rider)
        let signedIn = try await signedIn()
        signedIn.makeFindRideOrLocationUseCase().start()
        let ride = try #require(try await world.activeRide.passes())
        _ = try await state(of: signedIn.signedIn) { $0.screen == .waitingForPickup(ride) }
        return (signedIn, WaitingForPickupContainer(signedIn: signedIn, ride: ride))
    }

    private nonisolated static let manly = NamedLocation(
        name: "Manly", location: GeoPoint(latitude: -33.8, longitude: 151.3))
    private nonisolated static let bondi = NamedLocation(
        name: "Bondi", location: GeoPoint(latitude: -33.9, longitude: 151.3))

    private func selects(_ place: NamedLocation, in container: PickMeUpContainer) {
        container.makePresentDropoffPickerUseCase(isPresented: true).start()
        container.makeSelectDropoffLocationUseCase(place).start()
    }

    /// A trip to Manly with the first option selected.
    private func chosen() async throws -> (PickMeUpContainer, [PricedRideOption]) {
        let container = try await pickMeUp()
        selects(Self.manly, in: container)
        container.makeLoadRideOptionsUseCase().start()
        let options = try await world.rideOptions.passes()
        _ = try await state(of: container.pickMeUp) { $0.step == .selectRideOption(RideOptions(options: options)) }
        container.makeSelectRideOptionUseCase(id: options[0].id).start()
        return (container, options)
    }

    // MARK: Late answers

    @Test func `the answer to the latest search counts even if the earlier one is not cancelled`() async throws {
        let container = try await pickMeUp()
        container.makePresentDropoffPickerUseCase(isPresented: true).start()
        weak let older = starts(container.makeSearchDropoffLocationsUseCase(query: "m"))
        container.makeSearchDropoffLocationsUseCase(query: "manly").start()
        let found = try await world.search.passes { $0 == "manly" }
        _ = try await state(of: container.pickMeUp) { $0.dropoffPicker?.isSearching == false }
        let answered = container.pickMeUp.state
        #expect(answered.dropoffPicker?.results == found)
        try await world.search.fails { $0 == "m" }
        try await eventually { older == nil }
        #expect(container.pickMeUp.state == answered)
    }

    @Test func `a search that fails after the picker is closed is not reported`() async throws {
        let container = try await pickMeUp()
        container.makePresentDropoffPickerUseCase(isPresented: true).start()
        weak let search = starts(container.makeSearchDropoffLocationsUseCase(query: "manly"))
        try await world.search.isAsked()
        container.makePresentDropoffPickerUseCase(isPresented: false).start()
        try await world.search.fails()
        try await eventually { search == nil }
        #expect(container.pickMeUp.state == PickMeUpState(pickupLocation: SampleService.sydney))
    }

    @Test func `options of an earlier trip are dropped`() async throws {
        let container = try await pickMeUp()
        selects(Self.manly, in: container)
        weak let older = starts(container.makeLoadRideOptionsUseCase())
        selects(Self.bondi, in: container)
        container.makeLoadRideOptionsUseCase().start()
        let options = try await world.rideOptions.passes { $0.dropoffLocation == Self.bondi.location }
        _ = try await state(of: container.pickMeUp) { $0.step == .selectRideOption(RideOptions(options: options)) }
        try await world.rideOptions.passes()
        try await eventually { older == nil }
        #expect(container.pickMeUp.state.step == .selectRideOption(RideOptions(options: options)))
    }

    @Test func `a late location changes nothing`() async throws {
        let container = try await signedIn()
        weak let one = starts(container.makeFindRideOrLocationUseCase())
        weak let other = starts(container.makeFindRideOrLocationUseCase())
        for _ in 1...2 { try await world.activeRide.passes() }
        try await world.userLocation.passes()
        let located = try await state(of: container.signedIn) { $0.screen != .gettingUserLocation }
        try await world.userLocation.fails()
        try await eventually { one == nil && other == nil }
        #expect(container.signedIn.state == located)
    }

    // MARK: Impossible steps

    @Test func `a new destination replaces the whole trip`() async throws {
        let (container, _) = try await chosen()
        selects(Self.bondi, in: container)
        #expect(container.pickMeUp.state.step == .selectRideOption(RideOptions(isLoading: true)))
        container.makeRequestRideUseCase().start()
        #expect(container.pickMeUp.state.step == .selectRideOption(RideOptions(isLoading: true)))
    }

    @Test func `only an offered option can be selected`() async throws {
        let (container, _) = try await chosen()
        let before = container.pickMeUp.state
        container.makeSelectRideOptionUseCase(id: "unicorn").start()
        #expect(container.pickMeUp.state == before)
    }

    @Test func `an open picker blocks selecting, requesting and another picker`() async throws {
        let (container, options) = try await chosen()
        container.makePresentDropoffPickerUseCase(isPresented: true).start()
        container.makeSearchDropoffLocationsUseCase(query: "manly").start()
        let before = container.pickMeUp.state
        container.makeSelectRideOptionUseCase(id: options[1].id).start()
        container.makeRequestRideUseCase().start()
        container.makePresentDropoffPickerUseCase(isPresented: true).start()
        #expect(container.pickMeUp.state == before)
    }

    @Test func `a ride request blocks everything else, and is sent once`() async throws {
        let (container, options) = try await chosen()
        container.makeRequestRideUseCase().start()
        let before = container.pickMeUp.state
        selects(Self.bondi, in: container)
        container.makeLoadRideOptionsUseCase().start()
        container.makeSelectRideOptionUseCase(id: options[1].id).start()
        weak let second = starts(container.makeRequestRideUseCase())
        #expect(second == nil)
        #expect(container.pickMeUp.state == before)
    }

    @Test func `a closed picker neither searches nor selects`() async throws {
        let container = try await pickMeUp()
        weak let search = starts(container.makeSearchDropoffLocationsUseCase(query: "manly"))
        container.makeSelectDropoffLocationUseCase(Self.manly).start()
        #expect(search == nil)
        #expect(container.pickMeUp.state == PickMeUpState(pickupLocation: SampleService.sydney))
    }

    @Test func `a ride is cancelled once, and left only when it has ended`() async throws {
        let (signedIn, container) = try await riding()
        container.makeStartNewRideUseCase().start()
        #expect(signedIn.signedIn.state.screen == .waitingForPickup(container.waiting.state.ride))
        container.makeCancelRideUseCase().start()
        weak let second = starts(container.makeCancelRideUseCase())
        #expect(second == nil)
        try await world.cancel.passes()
        _ = try await state(of: container.waiting) { !$0.isCancelling }
        weak let third = starts(container.makeCancelRideUseCase())
        weak let follow = starts(container.makeFollowRideUseCase())
        #expect(third == nil && follow == nil)
        #expect(!container.waiting.state.isCancelling)
        container.makeStartNewRideUseCase().start()
        #expect(signedIn.signedIn.state.screen == .gettingUserLocation)
    }

    @Test func `a ride is left once`() async throws {
        let (signedIn, container) = try await riding()
        container.makeCancelRideUseCase().start()
        try await world.cancel.passes()
        _ = try await state(of: container.waiting) { !$0.isCancelling }
        container.makeStartNewRideUseCase().start()
        signedIn.makeFindRideOrLocationUseCase().start()
        try await world.activeRide.passes()
        try await world.userLocation.passes()
        let located = try await state(of: signedIn.signedIn) { $0.screen != .gettingUserLocation }
        container.makeStartNewRideUseCase().start()
        #expect(signedIn.signedIn.state == located)
    }

    @Test func `a ride cannot be cancelled after the pick-up`() async throws {
        let container = try await waiting()
        container.makeFollowRideUseCase().start()
        var ride = try await world.updates.passes()
        while ride.status != .inProgress {
            try await world.service.timePasses()
            ride = try await world.updates.passes()
        }
        _ = try await state(of: container.waiting) { $0.ride.status == .inProgress }
        weak let cancellation = starts(container.makeCancelRideUseCase())
        #expect(cancellation == nil)
        #expect(!container.waiting.state.isCancelling)
    }

    @Test func `a form that is being sent blocks other forms and navigation`() async throws {
        let container = OnboardingContainer(app: AppContainer(model: world))
        container.makeNavigateOnboardingUseCase(to: .signIn).start()
        container.makeSignInUseCase(email: "ada@example.org", password: Secret("wrong")).start()
        let before = container.onboarding.state
        let account = NewAccount(name: "A", email: "a@example.org", mobileNumber: "", password: Secret("secret"))
        weak let signIn = starts(container.makeSignInUseCase(email: "b@example.org", password: Secret("secret")))
        weak let signUp = starts(container.makeSignUpUseCase(newAccount: account))
        container.makeSignInUseCase(email: "", password: Secret("")).start()
        container.makeNavigateOnboardingUseCase(to: .welcome).start()
        #expect(signIn == nil && signUp == nil)
        #expect(container.onboarding.state == before)
    }

    @Test func `the user signs out once, and the profile stays open until the answer`() async throws {
        let container = try await signedIn()
        container.makeSignOutUseCase().start()
        weak let second = starts(container.makeSignOutUseCase())
        container.makePresentProfileUseCase(isPresented: false).start()
        #expect(second == nil)
        #expect(container.signedIn.state.profile == .signingOut)
    }

    // MARK: Work in progress

    @Test(arguments: [true, false])
    func `a cancelled search shows neither results nor an error, whenever it is answered`(
        _ succeeds: Bool
    ) async throws {
        let container = try await pickMeUp()
        container.makePresentDropoffPickerUseCase(isPresented: true).start()
        world.keepsCancelledCalls()
        let search = container.makeSearchDropoffLocationsUseCase(query: "manly")
        search.start()
        try await world.search.isAsked()
        search.cancel()
        let searching = container.pickMeUp.state
        if succeeds { try await world.search.passes() } else { try await world.search.fails() }
        let next = container.makeSearchDropoffLocationsUseCase(query: "bondi")
        next.start()
        try await world.search.isAsked()
        #expect(container.pickMeUp.state.dropoffPicker?.results == searching.dropoffPicker?.results)
        #expect(container.pickMeUp.state.errors.isEmpty)
        try await world.search.passes()
        let found = try await state(of: container.pickMeUp) { $0.dropoffPicker?.isSearching == false }
        #expect(found.dropoffPicker?.results.map(\.name) == ["Bondi Beach"])
        #expect(found.errors.isEmpty)
    }

    @Test func `a search in progress is shown, with the earlier results`() async throws {
        let container = try await pickMeUp()
        container.makePresentDropoffPickerUseCase(isPresented: true).start()
        container.makeSearchDropoffLocationsUseCase(query: "").start()
        #expect(container.pickMeUp.state.dropoffPicker?.isSearching == true)
        let near = try await world.search.passes()
        _ = try await state(of: container.pickMeUp) { $0.dropoffPicker?.isSearching == false }
        container.makeSearchDropoffLocationsUseCase(query: "manly").start()
        #expect(container.pickMeUp.state.dropoffPicker?.isSearching == true)
        #expect(container.pickMeUp.state.dropoffPicker?.query == "manly")
        #expect(container.pickMeUp.state.dropoffPicker?.results == near)
    }

    @Test func `options loaded under an open picker are shown once it is closed`() async throws {
        let container = try await pickMeUp()
        selects(Self.manly, in: container)
        container.makeLoadRideOptionsUseCase().start()
        container.makePresentDropoffPickerUseCase(isPresented: true).start()
        let options = try await world.rideOptions.passes()
        _ = try await state(of: container.pickMeUp) { $0.step == .selectRideOption(RideOptions(options: options)) }
        #expect(container.pickMeUp.state.dropoffPicker != nil)
    }

    @Test func `no step is possible while its input is missing`() async throws {
        let container = try await pickMeUp()
        let before = container.pickMeUp.state
        container.makeLoadRideOptionsUseCase().start()
        container.makeSelectRideOptionUseCase(id: "wallaby").start()
        container.makeRequestRideUseCase().start()
        #expect(container.pickMeUp.state == before)
        #expect(world.rideOptions.asked.isEmpty)
        #expect(world.request.asked.isEmpty)
    }

    @Test func `a cancelled search for the ride in progress does not look up the location`() async throws {
        let container = try await signedIn()
        let begin = container.makeFindRideOrLocationUseCase()
        begin.start()
        try await world.activeRide.isAsked()
        begin.cancel()
        try await eventually { world.activeRide.waiting.isEmpty }
        container.makeFindRideOrLocationUseCase().start()
        try await world.activeRide.passes()
        try await world.userLocation.passes()
        _ = try await state(of: container.signedIn) { $0.screen != .gettingUserLocation }
        #expect(world.userLocation.asked.count == 1)
    }

    @Test func `late updates do not revive a cancelled ride`() async throws {
        let container = try await waiting()
        let before = container.waiting.state.ride
        container.makeFollowRideUseCase().start()
        try await world.updates.isAsked()
        container.makeCancelRideUseCase().start()
        #expect(container.waiting.state.isCancelling)
        let cancelled = try await world.cancel.passes()
        _ = try await state(of: container.waiting) { $0.ride == cancelled && !$0.isCancelling }
        #expect(try await world.updates.passes().status == before.status)
        try await world.updates.passes()
        #expect(container.waiting.state.ride == cancelled)
    }

    @Test func `a cancellation that fails after the end of the ride is not reported`() async throws {
        let container = try await waiting()
        container.makeFollowRideUseCase().start()
        try await world.updates.passes()
        weak let cancellation = starts(container.makeCancelRideUseCase())
        try await world.cancel.isAsked()
        while !container.waiting.state.ride.status.isFinal {
            try await world.service.timePasses()
            let ride = try await world.updates.passes()
            _ = try await state(of: container.waiting) { $0.ride == ride }
        }
        #expect(!container.waiting.state.isCancelling)
        try await world.cancel.fails()
        try await eventually { cancellation == nil }
        #expect(container.waiting.state.errors.isEmpty)
    }
}
