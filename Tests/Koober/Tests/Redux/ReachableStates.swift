import Foundation
import KooberKit
import KooberRedux
import KooberScreens
import KooberTexts
import PouchEntities

/// The states to which actions lead, starting with a launch.
enum ReachableStates {
    /// Searches that some states ask for. The last is the one of a link.
    fileprivate static let queries = ["", "b", "Bondi Beach"]
    static let lost = ErrorMessage.sample("the connection is lost")
    static let full = ErrorMessage.sample("the disk is full")

    private static let effects: [PickMeUpEffect] =
        queries.map { .search($0, near: Sample.sydney) } + [
            .loadRideOptions(Sample.trip), .requestRide(Sample.request),
        ]

    private static let starts = [nil, Destination(link: "koober://ride?to=Bondi Beach")].map {
        AppState(.launching(LaunchingState(destination: $0)))
    }

    private static let pickMeUp: [PickMeUpAction] =
        [
            .goToDropoffLocationPicker, .closedDropoffLocationPicker, .dropoffLocationPicker(.search("b")),
            .dropoffLocationPicker(.found([])), .dropoffLocationPicker(.found([Sample.bondi])),
            .dropoffLocationSelected("Bondi Beach"), .dropoffLocationSelected("Utopia"), .rideOptionPicker(.loaded([])),
            .rideOptionPicker(.loaded(Sample.options)), .rideOptionPicker(.selected("wallaby")),
            .rideOptionPicker(.selected("unicorn")), .rideConfirmed, .newRideRequestSent(Sample.ride(.requested)),
        ] + effects.map { .failed($0, lost) }

    private static let waitingForPickup: [WaitingForPickupAction] =
        [.accepted, .inProgress, .completed, .cancelledByDriver].map { .rideUpdated(Sample.ride($0)) } + [
            .rideUpdated(Sample.ride(.accepted, id: "rid_2")), .lostRide(lost), .cancelRide,
            .cancelled(Sample.ride(.cancelledByRider)),
            .cancelled(Sample.ride(.cancelledByRider, id: "rid_2")), .cancellationFailed(lost), .startNewRide,
        ]

    private static let signedIn: [SignedInAction] =
        [
            .gettingUserLocation(.foundActiveRide(Sample.ride(.requested))),
            .gettingUserLocation(.foundNoActiveRide), .gettingUserLocation(.foundUserLocation(Sample.sydney)),
            .gettingUserLocation(.failed(lost)), .profile(.show), .profile(.close), .profile(.signOut), .wentBack,
            .sessionRenewed(SessionState(ReduxSample.grace)), .signedOut(nil), .signedOut(lost), .sessionEnded(lost),
        ] + pickMeUp.map(SignedInAction.pickMeUp) + waitingForPickup.map(SignedInAction.waitingForPickup)

    static let actions: [AppAction] =
        [
            .launching(.finishedLaunchingApp(nil)), .launching(.finishedLaunchingApp(SessionState(ReduxSample.ada))),
            .launching(.failed(lost)),
            .onboarding(.goToSignIn), .onboarding(.goToSignUp), .onboarding(.returnedToWelcome),
            .onboarding(.sendingForm), .onboarding(.signedIn(SessionState(ReduxSample.ada))),
            .onboarding(.failed(lost)),
            .onboarding(
                .failed(ErrorMessage(title: .signInFailed, message: .emailMissing, fields: [.email: .emailMissing]))),
            .persistence(.saveFailed(full, userSession: ReduxSample.ada.id)),
            .persistence(.saveFailed(full, userSession: ReduxSample.grace.id)), .persistence(.deleteFailed(full)),
            .connectivityChanged(isOffline: true), .connectivityChanged(isOffline: false), .finishedPresentingError,
        ] + signedIn.map(AppAction.signedIn)

    /// Every state that the actions lead to, without those that are offline or have two errors or more.
    static let all: [AppState] = {
        var found: [KooberScreen: [AppState]] = [:]
        var states = starts
        var next = 0
        while next < states.count {
            let state = states[next]
            next += 1
            for action in actions {
                let reduced = state.after(action)
                guard reduced != state, reduced.errorCount <= 1, !reduced.isOffline else { continue }
                let screen = KooberScreen(reduced)
                guard found[screen]?.contains(reduced) != true else { continue }
                found[screen, default: []].append(reduced)
                states.append(reduced)
            }
        }
        return states
    }()

    /// One state for each screen.
    static let ofEachScreen: [AppState] = {
        var seen: Set<KooberScreen> = []
        return all.filter { seen.insert(KooberScreen($0)).inserted }
    }()
}

extension AppState {
    func after(_ action: AppAction) -> AppState {
        var state = self
        Reducers.app(&state, action)
        return state
    }

    fileprivate var errorCount: Int {
        switch stage {
        case .launching(let state): state.error == nil ? 0 : 1
        case .onboarding(let state): state.errors.count
        case .signedIn(let state): state.errors.count
        }
    }
}

extension AppAction {
    /// The effects one of which has this answer; nil for an action that no effect dispatches.
    var answeredEffects: Set<AppEffect>? {
        switch self {
        case .launching: [.launching(.readUserSession)]
        case .onboarding(.signedIn): [.onboarding(.signIn), .onboarding(.signUp)]
        case .signedIn(.gettingUserLocation(.foundActiveRide)), .signedIn(.gettingUserLocation(.foundNoActiveRide)):
            [.signedIn(.gettingUserLocation(.findActiveRide))]
        case .signedIn(.gettingUserLocation(.foundUserLocation)):
            [.signedIn(.gettingUserLocation(.findUserLocation))]
        case .signedIn(.gettingUserLocation(.failed)):
            [.signedIn(.gettingUserLocation(.findActiveRide)), .signedIn(.gettingUserLocation(.findUserLocation))]
        case .signedIn(.pickMeUp(.dropoffLocationPicker(.found))):
            Set(ReachableStates.queries.map { .signedIn(.pickMeUp(.search($0, near: Sample.sydney))) })
        case .signedIn(.pickMeUp(.rideOptionPicker(.loaded))):
            [.signedIn(.pickMeUp(.loadRideOptions(Sample.trip)))]
        case .signedIn(.pickMeUp(.newRideRequestSent)): [.signedIn(.pickMeUp(.requestRide(Sample.request)))]
        case .signedIn(.pickMeUp(.failed(let effect, _))): [.signedIn(.pickMeUp(effect))]
        case .signedIn(.waitingForPickup(.rideUpdated(let ride))): [.signedIn(.waitingForPickup(.follow(ride.id)))]
        case .signedIn(.waitingForPickup(.lostRide)): [.signedIn(.waitingForPickup(.follow("rid_1")))]
        case .signedIn(.waitingForPickup(.cancelled(let ride))): [.signedIn(.waitingForPickup(.cancel(ride.id)))]
        case .signedIn(.waitingForPickup(.cancellationFailed)): [.signedIn(.waitingForPickup(.cancel("rid_1")))]
        case .signedIn(.signedOut): [.signedIn(.signOut)]
        case .signedIn(.sessionEnded): [.signedIn(.followSession(ReduxSample.ada.id))]
        default: nil
        }
    }
}
