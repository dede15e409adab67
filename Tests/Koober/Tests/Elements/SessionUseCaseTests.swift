import ClientTesting
import KooberElements
import KooberKit
import KooberScenarios
import PouchEntities
import Testing

/// The use cases of a session over the remote API and the data store.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct SessionUseCaseTests {
    private let model = GatedModel()
    private let app: AppContainer
    private let container: SignedInContainer
    private let events: EventRecord

    init() async throws {
        app = AppContainer(model: model)
        let onboarding = OnboardingContainer(app: app)
        onboarding.makeSignInUseCase(email: "ada@example.org", password: Secret("secret")).start()
        try await model.calls.passes()
        try await model.calls.passes()
        container = SignedInContainer(app: app, userSession: ElementsSample.session)
        try await eventually { [app] in app.main.state == .signedIn(ElementsSample.session) }
        events = EventRecord(app.events)
    }

    /// The calls after those of signing in.
    private var asked: [ModelCall] { Array(model.calls.asked.dropFirst(2)) }

    // MARK: Signing out

    @Test func `signing out ends the session at the service, and then on the device`() async throws {
        container.makeSignOutUseCase().start()
        #expect(container.signedIn.state.profile == .signingOut)
        try await model.passes(.signOut(ElementsSample.session))
        try await model.calls.isAsked()
        #expect(app.main.state == .signedIn(ElementsSample.session))
        try await model.passes(.delete(ElementsSample.session))
        try await eventually { app.main.state == .onboarding(nil) }
        #expect(events.all == [.signedOut])
        #expect(asked == [.signOut(ElementsSample.session), .delete(ElementsSample.session)])
    }

    @Test(arguments: [true, false], [true, false])
    func `the first failure is shown, and the session ends on the device all the same`(
        _ serviceFails: Bool, _ storeFails: Bool
    ) async throws {
        container.makeSignOutUseCase().start()
        if serviceFails {
            _ = try await model.fails(.signOut(ElementsSample.session))
        } else {
            try await model.passes(.signOut(ElementsSample.session))
        }
        if storeFails {
            _ = try await model.calls.fails(ElementsSample.laterError) { $0 == .delete(ElementsSample.session) }
        } else {
            try await model.passes(.delete(ElementsSample.session))
        }
        let error = serviceFails ? ElementsSample.error : storeFails ? ElementsSample.laterError : nil
        try await eventually { app.main.state == .onboarding(error) }
        #expect(events.all == [.signedOut])
    }

    @Test func `the user signs out once, and the profile stays open until the answer`() async throws {
        container.makePresentProfileUseCase(isPresented: true).start()
        container.makeSignOutUseCase().start()
        try await model.calls.isAsked()
        container.makeSignOutUseCase().start()
        container.makePresentProfileUseCase(isPresented: false).start()
        await turnsPass()
        #expect(container.signedIn.state.profile == .signingOut)
        #expect(asked == [.signOut(ElementsSample.session)])
    }

    @Test func `a cancelled sign-out still ends the session on the device, and shows nothing`() async throws {
        model.calls.keepsCancelled()
        let useCase = container.makeSignOutUseCase()
        useCase.start()
        try await model.calls.isAsked()
        useCase.cancel()
        try await model.passes(.signOut(ElementsSample.session))
        try await model.passes(.delete(ElementsSample.session))
        await turnsPass()
        #expect(app.main.state == .signedIn(ElementsSample.session))
        #expect(events.all.isEmpty)
    }

    @Test func `the profile opens and closes`() {
        container.makePresentProfileUseCase(isPresented: true).start()
        #expect(container.signedIn.state.profile == .open)
        container.makePresentProfileUseCase(isPresented: false).start()
        #expect(container.signedIn.state.profile == .closed)
    }

    // MARK: The end of the session

    @Test(arguments: [true, false])
    func `a session that ends elsewhere is deleted here before its end is an event`(_ isDeleted: Bool) async throws {
        container.makeFollowSessionUseCase().start()
        try await eventually { model.ends.followerCount == 1 }
        model.ends.send(ElementsSample.laterError)
        try await model.calls.isAsked()
        #expect(events.all.isEmpty)
        if isDeleted {
            try await model.passes(.delete(ElementsSample.session))
        } else {
            _ = try await model.fails(.delete(ElementsSample.session))
        }
        try await eventually { events.all == [.sessionEnded(ElementsSample.laterError)] }
    }

    @Test func `a session that ends by signing out is no event`() async throws {
        weak let following = starts(container.makeFollowSessionUseCase())
        try await eventually { model.ends.followerCount == 1 }
        model.ends.finish()
        try await eventually { following == nil }
        #expect(events.all.isEmpty)
        #expect(asked.isEmpty)
    }

    @Test func `a cancelled follower leaves the session, and its late deletion is no event`() async throws {
        let following = container.makeFollowSessionUseCase()
        following.start()
        try await eventually { model.ends.followerCount == 1 }
        model.calls.keepsCancelled()
        model.ends.send(ElementsSample.error)
        try await model.calls.isAsked()
        following.cancel()
        try await model.passes(.delete(ElementsSample.session))
        try await eventually { model.ends.followerCount == 0 }
        #expect(events.all.isEmpty)
    }

    // MARK: Finding the ride or the location

    @Test func `a ride in progress is shown without looking for the location`() async throws {
        let model = GatedModel(activeRide: ElementsSample.ride(.accepted))
        let container = SignedInContainer(app: AppContainer(model: model), userSession: ElementsSample.session)
        container.makeFindRideOrLocationUseCase().start()
        try await model.passes(.findRide)
        try await eventually { container.signedIn.state.screen == .waitingForPickup(ElementsSample.ride(.accepted)) }
        #expect(model.calls.asked == [.findRide])
    }

    @Test func `the location is found without a ride in progress, and only once`() async throws {
        container.makeFindRideOrLocationUseCase().start()
        try await model.passes(.findRide)
        try await model.passes(.findLocation)
        try await eventually { container.signedIn.state.screen == .pickMeUp(pickupLocation: ElementsSample.sydney) }
        container.makeFindRideOrLocationUseCase().start()
        await turnsPass()
        #expect(asked == [.findRide, .findLocation])
    }

    @Test(arguments: [ModelCall.findRide, .findLocation])
    func `a failed step is an error, and ends the use case`(_ failed: ModelCall) async throws {
        weak let finding = starts(container.makeFindRideOrLocationUseCase())
        if failed == .findLocation { try await model.passes(.findRide) }
        let error = try await model.fails(failed)
        try await eventually { finding == nil }
        #expect(container.signedIn.state.errors == [error])
        #expect(container.signedIn.state.screen == .gettingUserLocation)
        #expect(asked.last == failed)
        container.makeFinishedPresentingErrorUseCase(error).start()
        #expect(container.signedIn.state.errors.isEmpty)
    }

    @Test func `a cancelled search for the ride does not look for the location`() async throws {
        model.calls.keepsCancelled()
        let finding = container.makeFindRideOrLocationUseCase()
        finding.start()
        try await model.calls.isAsked()
        finding.cancel()
        try await model.passes(.findRide)
        await turnsPass()
        #expect(asked == [.findRide])
        #expect(container.signedIn.state.screen == .gettingUserLocation)
    }

    @Test(arguments: [true, false])
    func `of two searches only the first answer counts`(_ succeeds: Bool) async throws {
        weak let one = starts(container.makeFindRideOrLocationUseCase())
        weak let other = starts(container.makeFindRideOrLocationUseCase())
        for _ in 1...2 { try await model.passes(.findRide) }
        try await model.passes(.findLocation)
        try await eventually { container.signedIn.state.screen != .gettingUserLocation }
        let located = container.signedIn.state
        if succeeds { try await model.passes(.findLocation) } else { _ = try await model.fails(.findLocation) }
        try await eventually { one == nil && other == nil }
        #expect(container.signedIn.state == located)
    }
}
