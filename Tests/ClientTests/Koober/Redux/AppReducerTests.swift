import Foundation
import KooberKit
import KooberRedux
import KooberScreens
import PouchEntities
import PouchTesting
import Testing

/// Every action on every kind of state.
struct AppReducerTests {
    private static let ada = UserSession.sample("ses_1")
    private static let here = SampleService.sydney
    private static let there = GeoPoint(latitude: -33.8915, longitude: 151.2767)

    private static func number(_ value: Int) -> SerialNumber { SerialNumber(value) }

    private static func ride(_ status: RideStatus) -> Ride {
        Ride(
            id: "rid_1", status: status, waypoints: RideWaypoints(pickupLocation: here, dropoffLocation: there),
            rideOptionID: "wallaby", fare: Fixture.euros(1000), driver: nil, etaSeconds: nil,
            createdAt: Date.sample, history: [Ride.Event(status: status, at: Date.sample)])
    }

    private static let options = ["wallaby", "kangaroo"].map { id in
        PricedRideOption(
            option: RideOption(
                id: id, name: id, capacity: 1, maxWeightGrams: 1, images: .init(normal: "n", selected: "s")),
            quote: FareQuote(
                id: "quo_" + id, rideOptionID: id, fare: Fixture.euros(1000), distanceMetres: 1, etaSeconds: 1,
                expiresAt: Date.sample))
    }

    private static let launching: [AppAction] = [
        .launching(.finishedLaunchingApp(.notSignedIn)),
        .launching(.finishedLaunchingApp(.signedIn(ada, scope: number(1)))),
        .launching(.failed(.sample(101))),
        .launching(.finishedPresenting(number(101))),
        .persistence(.saveFailed(.sample(102), userSession: ada.id)),
        .persistence(.saveFailed(.sample(103), userSession: "ses_2")),
        .persistence(.deleteFailed(.sample(104))),
    ]

    private static let onboarding: [AppAction] = [
        .onboarding(.goToSignIn), .onboarding(.goToSignUp), .onboarding(.returnedToWelcome),
        .onboarding(.form(.incomplete(.sample(105)))),
        .onboarding(.form(.sending(request: number(11)))),
        .onboarding(.form(.failed(.sample(106), request: number(11)))),
        .onboarding(.form(.failed(.sample(107), request: number(12)))),
        .onboarding(.signedIn(ada, scope: number(1), request: number(11))),
        .onboarding(.signedIn(ada, scope: number(1), request: number(12))),
        .onboarding(.finishedPresenting(number(105))), .onboarding(.finishedPresenting(number(106))),
        .onboarding(.finishedPresenting(number(104))), .onboarding(.finishedPresenting(number(120))),
    ]

    private static let session: [SignedInAction] = [
        .profile(.show), .profile(.close), .profile(.signingOut(request: number(21))),
        .signedOut(request: number(21), nil), .signedOut(request: number(21), .sample(120)),
        .signedOut(request: number(22), nil), .sessionEnded(.sample(121)), .finishedPresenting(number(102)),
    ]

    private static let locating: [GettingUserLocationAction] = [
        .foundActiveRide(ride(.requested), scope: number(3)), .foundNoActiveRide,
        .foundUserLocation(here, scope: number(2)),
        .failed(.sample(130)), .finishedPresenting(number(130)), .finishedPresenting(number(131)),
    ]

    private static let pickMeUp: [PickMeUpAction] = [
        .goToDropoffLocationPicker(request: number(31)), .closedDropoffLocationPicker,
        .dropoffLocationPicker(.searching(query: "b", request: number(32))),
        .dropoffLocationPicker(.found([NamedLocation(name: "Bondi", location: there)], request: number(31))),
        .dropoffLocationPicker(.found([], request: number(32))),
        .dropoffLocationPicker(.searchFailed(.sample(140), request: number(31))),
        .dropoffLocationPicker(.searchFailed(.sample(141), request: number(32))),
        .loadingRideOptions(dropoffLocation: NamedLocation(name: "Bondi", location: there), request: number(33)),
        .rideOptionPicker(.loaded(options, request: number(33))),
        .rideOptionPicker(.loaded([], request: number(34))),
        .rideOptionPicker(.loadingFailed(.sample(142), request: number(33))),
        .rideOptionPicker(.loadingFailed(.sample(143), request: number(34))),
        .rideOptionPicker(.finishedPresenting(number(142))),
        .rideOptionSelected("wallaby"), .rideOptionSelected("kangaroo"), .rideOptionSelected("unicorn"),
        .sendingRideRequest(request: number(35)),
        .rideRequestFailed(.sample(144), request: number(35)), .rideRequestFailed(.sample(145), request: number(36)),
        .newRideRequestSent(ride(.requested), scope: number(3), request: number(35)),
        .newRideRequestSent(ride(.requested), scope: number(3), request: number(36)),
        .finishedPresenting(number(140)), .finishedPresenting(number(142)), .finishedPresenting(number(144)),
    ]

    private static let waiting: [WaitingForPickupAction] =
        [.accepted, .inProgress, .completed, .cancelledByDriver].map { .rideUpdated(ride($0)) } + [
            .lostRide(.sample(150)), .cancelling(request: number(41)),
            .cancelled(ride(.cancelledByRider), request: number(41)),
            .cancelled(ride(.cancelledByRider), request: number(42)),
            .cancellationFailed(.sample(151), request: number(41)),
            .cancellationFailed(.sample(152), request: number(42)),
            .finishedPresenting(number(150)), .finishedPresenting(number(151)), .startNewRide(scope: number(4)),
        ]

    /// The actions of a session and of its steps.
    private static func signedIn(_ scope: Int, locating: [Int], pickMeUp: Int, waiting: Int) -> [AppAction] {
        let inSteps: [SignedInAction] =
            locating.flatMap { step in Self.locating.map { .gettingUserLocation(scope: number(step), $0) } }
            + Self.pickMeUp.map { .pickMeUp(scope: number(pickMeUp), $0) }
            + Self.waiting.map { .waitingForPickup(scope: number(waiting), $0) }
        return (session + inSteps).map { .signedIn(scope: number(scope), $0) }
    }

    private static let actions =
        launching + onboarding + signedIn(1, locating: [1, 4], pickMeUp: 2, waiting: 3)

    /// Every state that actions lead to, without those with two errors or more.
    private static let reachable: [AppState] = {
        var found: [KooberScreen: [AppState]] = [:]
        var states = [AppState.initial]
        var next = 0
        while next < states.count {
            let state = states[next]
            next += 1
            for action in actions {
                let reduced = Reducers.app(state, action)
                guard reduced != state, reduced.errorsToPresent.count <= 1 else { continue }
                let screen = KooberScreen(reduced)
                guard found[screen]?.contains(reduced) != true else { continue }
                found[screen, default: []].append(reduced)
                states.append(reduced)
            }
        }
        return states
    }()

    /// Checks what the types do not ensure.
    private static func isLegal(_ state: AppState) -> Bool {
        let screen = KooberScreen(state)
        guard screen.error?.title == state.errorsToPresent.first?.message.title else { return false }
        guard case .signedIn(let session) = state else { return screen.profile == nil }
        guard (screen.profile == nil) == (session.profile == .closed) else { return false }
        switch (session.step, screen.content) {
        case (.gettingUserLocation, .gettingUserLocation): return true
        case (.waitingForPickup(let waiting), .waitingForPickup(let screen)):
            return screen.isCancelling == (waiting.cancellation != nil)
                && !(screen.isCancelling && screen.ride.status.isFinal)
        case (.pickMeUp, .pickMeUp(let screen)):
            switch screen.step {
            case .initial: return screen.dropoffLocation == nil
            case .selectDropoffLocation: return true
            case .selectRideOption(let picker):
                return screen.dropoffLocation != nil && !picker.segments.contains { $0.isSelected }
                    && !(picker.isLoading && !picker.segments.isEmpty)
            case .confirmRequest(let picker):
                return screen.dropoffLocation != nil && picker.segments.count { $0.isSelected } == 1
            case .sendingRideRequest: return screen.dropoffLocation != nil && session.profile == .closed
            }
        default: return false
        }
    }

    private static func waitingStep(of state: AppState) -> WaitingForPickupState? {
        guard case .signedIn(let session) = state, case .waitingForPickup(let waiting) = session.step else {
            return nil
        }
        return waiting
    }

    @Test func `a ride that has ended stays ended, and reports no loss`() {
        let ended = Self.reachable.filter { Self.waitingStep(of: $0)?.ride.status.isFinal == true }
        #expect(!ended.isEmpty)
        for state in ended {
            for action in Self.actions {
                let reduced = Reducers.app(state, action)
                guard let before = Self.waitingStep(of: state), let after = Self.waitingStep(of: reduced) else {
                    continue
                }
                if before.ride != after.ride { Issue.record("\(action) revives \(state)") }
                if after.following != before.following, after.following != .following {
                    Issue.record("\(action) complains of \(state)")
                }
            }
        }
    }

    @Test func `the same action leads from the same state to the same legal state`() {
        let states = Self.reachable
        #expect(states.count > 500)
        for state in states {
            for action in Self.actions {
                let reduced = Reducers.app(state, action)
                if reduced != Reducers.app(state, action) { Issue.record("\(action) is reduced in two ways") }
                if !Self.isLegal(reduced) { Issue.record("\(action) leads from \(state) to \(reduced)") }
            }
        }
    }

    @Test func `the reachable states show every kind of screen`() {
        let screens = Self.reachable.map { KooberScreen($0) }
        let steps = screens.compactMap { screen -> PickMeUpScreen.Step? in
            guard case .pickMeUp(let pickMeUp) = screen.content else { return nil }
            return pickMeUp.step
        }
        #expect(screens.contains(KooberScreen(.launching, error: ErrorNote(title: "Error 101", message: "Try again."))))
        #expect(screens.contains(KooberScreen(.welcome)))
        for form in [FormScreen(), FormScreen(inputsEnabled: false, buttonEnabled: false, isBusy: true)] {
            #expect(screens.contains(KooberScreen(.signIn(form))))
            #expect(screens.contains(KooberScreen(.signUp(form))))
        }
        for isSigningOut in [false, true] {
            #expect(screens.contains { $0.profile?.isSigningOut == isSigningOut })
        }
        #expect(steps.contains(.sendingRideRequest))
        #expect(steps.contains { if case .confirmRequest = $0 { true } else { false } })
        for isCancelling in [false, true] {
            #expect(
                screens.contains {
                    if case .waitingForPickup(let screen) = $0.content {
                        screen.isCancelling == isCancelling
                    } else {
                        false
                    }
                })
        }
    }

    @Test func `an action of another session or another step changes nothing`() {
        let inSteps = Self.signedIn(1, locating: [9], pickMeUp: 9, waiting: 9).dropFirst(Self.session.count)
        let foreign = Self.signedIn(9, locating: [1], pickMeUp: 2, waiting: 3) + inSteps
        for state in Self.reachable {
            for action in foreign where Reducers.app(state, action) != state {
                Issue.record("\(action) changes \(state)")
            }
        }
    }

    @Test func `an answer to no open request changes nothing`() {
        let stale: [AppAction] = Self.actions.filter {
            let line = PrintingMiddleware.line(for: $0)
            return [12, 22, 34, 36, 42].contains { line.contains("#\($0))") }
        }
        #expect(stale.count == 9)
        for state in Self.reachable {
            for action in stale where Reducers.app(state, action) != state {
                Issue.record("\(action) changes \(state)")
            }
        }
    }

    @Test func `errors are shown in the order in which they came, wherever they are stored`() throws {
        var state = AppState.initial
        func happens(_ actions: AppAction...) { for action in actions { state = Reducers.app(state, action) } }
        happens(
            .launching(.finishedLaunchingApp(.signedIn(Self.ada, scope: Self.number(1)))),
            .signedIn(scope: Self.number(1), .gettingUserLocation(scope: Self.number(1), .foundNoActiveRide)),
            .signedIn(
                scope: Self.number(1), .gettingUserLocation(scope: Self.number(1), .failed(.sample(5)))),
            .persistence(.saveFailed(.sample(6), userSession: Self.ada.id)))
        #expect(state.errorsToPresent.map(\.id.value) == [5, 6])
        happens(
            .signedIn(
                scope: Self.number(1),
                .gettingUserLocation(scope: Self.number(1), .finishedPresenting(Self.number(5)))),
            .signedIn(
                scope: Self.number(1), .gettingUserLocation(scope: Self.number(1), .failed(.sample(7)))))
        #expect(state.errorsToPresent.map(\.id.value) == [6, 7])
    }
}

extension ErrorToPresent {
    static func sample(_ id: Int) -> ErrorToPresent {
        ErrorToPresent(id: SerialNumber(id), message: ErrorMessage(title: "Error \(id)", message: "Try again."))
    }
}

extension UserSession {
    static func sample(_ id: String) -> UserSession {
        UserSession(
            id: id, kind: .customer, profile: Profile(id: "acc_" + id, name: "Ada", email: "ada@example.org"),
            remoteSession: Fixture.session("access-\(id)", refresh: "refresh-\(id)").remoteSession)
    }
}
