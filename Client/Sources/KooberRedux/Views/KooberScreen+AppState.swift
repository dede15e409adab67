import KooberKit
import KooberScreens
import PouchEntities

extension KooberScreen {
    /// What a user sees of a state.
    public init(_ state: AppState) {
        let error = state.errorsToPresent.first.map {
            ErrorNote(title: $0.message.title, message: $0.message.message)
        }
        switch state {
        case .launching: self.init(.launching, error: error)
        case .onboarding(let state): self.init(Content(state.screen), error: error)
        case .signedIn(let state): self.init(Content(state.step), profile: ProfileScreen(state), error: error)
        }
    }
}

extension KooberScreen.Content {
    fileprivate init(_ screen: OnboardingState.Screen) {
        self =
            switch screen {
            case .welcoming: .welcome
            case .signingIn(let form): .signIn(FormScreen(form))
            case .signingUp(let form): .signUp(FormScreen(form))
            }
    }

    fileprivate init(_ step: SignedInState.Step) {
        self =
            switch step {
            case .gettingUserLocation: .gettingUserLocation
            case .pickMeUp(let state): .pickMeUp(PickMeUpScreen(state))
            case .waitingForPickup(let state):
                .waitingForPickup(WaitingScreen(ride: state.ride, isCancelling: state.cancellation != nil))
            }
    }
}

extension FormScreen {
    fileprivate init(_ form: FormState) {
        let isIdle = form.progress == .idle
        self.init(inputsEnabled: isIdle, buttonEnabled: isIdle, isBusy: !isIdle)
    }
}

extension ProfileScreen {
    /// nil where it is closed.
    fileprivate init?(_ state: SignedInState) {
        guard state.profile != .closed else { return nil }
        let profile = state.userSession.profile
        self.init(
            name: profile?.name ?? "", email: profile?.email ?? "", mobileNumber: profile?.mobileNumber ?? "",
            isSigningOut: state.profile != .shown)
    }
}

extension PickMeUpScreen {
    fileprivate init(_ state: PickMeUpState) {
        self.init(
            pickupLocation: state.pickupLocation, dropoffLocation: state.dropoffLocation, step: Step(state.step))
    }
}

extension PickMeUpScreen.Step {
    fileprivate init(_ step: PickMeUpState.Step) {
        self =
            switch step {
            case .initial: .initial
            case .selectDropoffLocation(let picker, _):
                .selectDropoffLocation(
                    DropoffPicker(query: picker.query, results: picker.results, isSearching: picker.search != nil))
            case .selectRideOption(let picker): .selectRideOption(RideOptionPicker(picker))
            case .confirmRequest(let draft), .requestFailed(let draft, _): .confirmRequest(RideOptionPicker(draft))
            case .sendingRideRequest: .sendingRideRequest
            }
    }
}

extension RideOptionPicker {
    fileprivate init(_ state: RideOptionPickerState) {
        switch state.progress {
        case .loading: self.init(isLoading: true)
        case .failed: self.init()
        case .offered(let options): self.init(segments: options.map { Segment($0, isSelected: false) })
        }
    }

    fileprivate init(_ draft: RideDraft) {
        self.init(segments: draft.options.map { Segment($0, isSelected: $0.id == draft.selected.id) })
    }
}

extension RideOptionPicker.Segment {
    fileprivate init(_ option: PricedRideOption, isSelected: Bool) {
        self.init(
            id: option.id, title: option.option.name, fare: option.quote.fare, capacity: option.option.capacity,
            isSelected: isSelected)
    }
}
