import KooberKit
import KooberRedux
import KooberScreens
import KooberTexts
import PouchEntities
import Testing

/// Every action on every reachable state.
struct AppReducerTests {
    @Test func `each action leads to one legal state, and each answer counts only while it is awaited`() {
        let states = ReachableStates.all
        #expect(states.count > 500)
        // One state for each kind of flaw, since one flaw may show in thousands.
        var flaws: [String: AppState] = [:]
        for state in states {
            for action in ReachableStates.actions {
                let reduced = state.after(action)
                let name = PrintingMiddleware.line(for: action)
                if reduced != state.after(action) { flaws["\(name) is reduced in two ways"] = state }
                if let flaw = Self.flaw(of: reduced) { flaws["after \(name), \(flaw)"] = state }
                if reduced != state, let effects = action.answeredEffects, effects.isDisjoint(with: state.effects) {
                    flaws["\(name) changes a state that does not wait for it"] = state
                }
            }
        }
        for (flaw, state) in flaws { Issue.record("\(flaw): \(state)") }
    }

    /// Checks what the types do not ensure.
    private static func flaw(of state: AppState) -> String? {
        let screen = KooberScreen(state)
        if screen.error?.message != state.errorToPresent?.message { return "the oldest error is not shown" }
        if work(on: screen) != work(of: state.effects, under: screen) {
            return "the screen waits for other work than the state asks for"
        }
        guard case .signedIn(let session) = state.stage else {
            return screen.profile == nil ? nil : "there is a profile of no user"
        }
        if (screen.profile == nil) != (session.profile == .closed) { return "the profile is not shown as it is" }
        switch session.step {
        case .gettingUserLocation(.failed(let id)): return resumes(after: id, session)
        case .pickMeUp(let pickMeUp):
            if case .requestFailed(_, let id) = pickMeUp.step { return resumes(after: id, session) }
            if case .sendingRideRequest = pickMeUp.step, session.profile != .closed { return "the profile is open" }
        case .waitingForPickup(let waiting):
            if waiting.isCancelling && waiting.ride.status.isFinal { return "an ended ride is being cancelled" }
            if let id = waiting.interruption { return resumes(after: id, session) }
        case .gettingUserLocation: break
        }
        return nil
    }

    /// A step that waits for the user needs an error that the user can acknowledge.
    private static func resumes(after id: ErrorMessage.ID, _ session: SignedInState) -> String? {
        session.errors.contains { $0.id == id } ? nil : "no error is left whose end resumes the work"
    }

    /// The kinds of work for which a screen makes the user wait.
    private static func work(on screen: KooberScreen) -> Set<String> {
        var work: Set<String> = screen.profile?.isSigningOut == true ? ["signOut"] : []
        switch screen.content {
        case .launching: work.insert("launch")
        case .signIn(let form): if form.isBusy { work.insert("signIn") }
        case .signUp(let form): if form.isBusy { work.insert("signUp") }
        case .gettingUserLocation: work.insert("locate")
        case .pickMeUp(let screen):
            switch screen.step {
            case .selectDropoffLocation(let picker): if picker.isSearching { work.insert("search") }
            case .selectRideOption(let picker), .confirmRequest(let picker):
                if picker.isLoading { work.insert("options") }
            case .sendingRideRequest: work.insert("request")
            case .initial: break
            }
        case .waitingForPickup(let screen): if screen.isCancelling { work.insert("cancel") }
        case .welcome: break
        }
        // These may have failed, and wait for the user.
        if screen.error != nil { work.subtract(["launch", "locate"]) }
        return work
    }

    /// The kinds of work that the effects do, without those that only follow something or that the screen covers.
    private static func work(of effects: Set<AppEffect>, under screen: KooberScreen) -> Set<String> {
        var work = Set(effects.compactMap(work))
        // The options go on loading under the drop-off picker.
        if case .pickMeUp(let screen) = screen.content, case .selectDropoffLocation = screen.step {
            work.remove("options")
        }
        if screen.error != nil { work.subtract(["launch", "locate"]) }
        return work
    }

    private static func work(of effect: AppEffect) -> String? {
        switch effect {
        case .launching: "launch"
        case .onboarding(.signIn): "signIn"
        case .onboarding(.signUp): "signUp"
        case .signedIn(.signOut): "signOut"
        case .signedIn(.gettingUserLocation): "locate"
        case .signedIn(.pickMeUp(.search)): "search"
        case .signedIn(.pickMeUp(.loadRideOptions)): "options"
        case .signedIn(.pickMeUp(.requestRide)): "request"
        case .signedIn(.waitingForPickup(.cancel)): "cancel"
        case .followConnectivity, .signedIn(.followSession), .signedIn(.waitingForPickup(.follow)): nil
        }
    }

    @Test func `the reachable states show every kind of screen`() {
        let screens = ReachableStates.all.map { KooberScreen($0) }
        #expect(screens.contains { $0.content == .launching && $0.error != nil })
        #expect(screens.contains(KooberScreen(.welcome)))
        for form in [FormScreen(), FormScreen(isBusy: true), FormScreen(problems: [.email: .emailMissing])] {
            #expect(screens.contains(KooberScreen(.signIn(form))))
            #expect(screens.contains(KooberScreen(.signUp(form))))
        }
        for isSigningOut in [false, true] { #expect(screens.contains { $0.profile?.isSigningOut == isSigningOut }) }
        let kinds = Set(screens.flatMap(Self.work))
        #expect(kinds == ["launch", "signIn", "signUp", "signOut", "locate", "search", "options", "request", "cancel"])
    }

    @Test func `a ride that has ended stays ended, and is no longer followed`() {
        let ended = ReachableStates.all.compactMap { state -> (AppState, Ride)? in
            guard case .signedIn(let session) = state.stage, case .waitingForPickup(let waiting) = session.step
            else { return nil }
            return waiting.ride.status.isFinal ? (state, waiting.ride) : nil
        }
        #expect(!ended.isEmpty)
        for (state, ride) in ended {
            let work = [WaitingForPickupEffect.follow(ride.id), .cancel(ride.id)]
            if !state.effects.isDisjoint(with: work.map { AppEffect.signedIn(.waitingForPickup($0)) }) {
                Issue.record("\(state) goes on working for its ride")
            }
            for action in ReachableStates.actions {
                guard case .signedIn(let session) = state.after(action).stage,
                    case .waitingForPickup(let waiting) = session.step
                else { continue }
                if waiting.ride != ride { Issue.record("\(action) revives \(state)") }
            }
        }
    }

    @Test func `what happens to another session changes nothing`() {
        let foreign: [AppAction] = [
            .persistence(.saveFailed(ReachableStates.full, userSession: ReduxSample.grace.id)),
            .signedIn(.sessionRenewed(SessionState(ReduxSample.grace))),
        ]
        for state in ReachableStates.all {
            for action in foreign where state.after(action) != state { Issue.record("\(action) changes \(state)") }
            // A deletion belongs to the session before.
            let deletion = AppAction.persistence(.deleteFailed(ReachableStates.full))
            if state.session != nil, state.after(deletion) != state { Issue.record("\(deletion) changes \(state)") }
        }
    }

    /// A step with a failure of its work, and the effect that is resumed once the user has read of it.
    private static let interruptions: [(step: SignedInState.Step, failure: SignedInAction, resumed: SignedInEffect)] = [
        (
            .gettingUserLocation(.lookingForActiveRide), .gettingUserLocation(.failed(ReachableStates.lost)),
            .gettingUserLocation(.findActiveRide)
        ),
        (
            ReduxSample.pickMeUp(.sendingRideRequest(ReduxSample.selected, Sample.request)),
            .pickMeUp(.failed(.requestRide(Sample.request), ReachableStates.lost)),
            .pickMeUp(.loadRideOptions(Sample.trip))
        ),
        (
            .waitingForPickup(WaitingForPickupState(ride: Sample.ride(.accepted))),
            .waitingForPickup(.lostRide(ReachableStates.lost)), .waitingForPickup(.follow("rid_1"))
        ),
    ]

    @Test func `errors are shown in the order in which they came, and only its own end resumes the work`() {
        for (step, failure, resumed) in Self.interruptions {
            let failed = ReduxSample.signedIn(step)
                .after(.persistence(.saveFailed(ReachableStates.full, userSession: ReduxSample.ada.id)))
                .after(.signedIn(failure))
            #expect(failed.errorToPresent == ReachableStates.full)
            let read = failed.after(.finishedPresentingError)
            #expect(read.errorToPresent == ReachableStates.lost)
            #expect(!read.effects.contains(.signedIn(resumed)))
            let resuming = read.after(.finishedPresentingError)
            #expect(resuming.errorToPresent == nil)
            #expect(resuming.effects.contains(.signedIn(resumed)))
        }
    }
}
