import ClientTesting
import KooberKit
import KooberScenarios
import KooberScreens
import KooberTexts
import PouchEntities
import PouchTesting
import Testing

@testable import KooberMVVM
@testable import KooberMVVMOnboarding
@testable import KooberMVVMPickMeUp
@testable import KooberMVVMProfile
@testable import KooberMVVMWaitingForPickup

/// Views bind to properties: a change of another property shows nothing, and a change that looks the same shows nothing.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct BindingTests {
    private let trip = SampleTrip()
    private let display = DisplayLog()
    private let errorMessages = ErrorMessages()
    private let responder = RecordingResponder()

    @Test func `typing into a form shows nothing, and sending it shows the form once`() async throws {
        let viewModel = trip.signInViewModel(responder, errorMessages)
        let view = SignInViewController(viewModel: viewModel, in: display)
        #expect(display.shown == [.content(.signIn(FormScreen()))])
        for letter in "ada" {
            viewModel.email.append(letter)
            display.updates.flush()
        }
        viewModel.password = Secret("password")
        display.updates.flush()
        #expect(display.shown.count == 1)
        viewModel.signIn()
        display.updates.flush()
        #expect(display.shown.dropFirst() == [.content(.signIn(FormScreen(isBusy: true)))])
        try await trip.world.signIn.fails()
        try await eventually { display.shown.count == 3 }
        #expect(display.shown.last == .content(.signIn(FormScreen())))
        withExtendedLifetime(view) {}
    }

    @Test func `a second problem of the same kind shows nothing, since the form looks the same`() {
        let viewModel = trip.signUpViewModel(responder, errorMessages)
        let view = SignUpViewController(viewModel: viewModel, in: display)
        for _ in 1...3 {
            viewModel.signUp()
            display.updates.flush()
        }
        #expect(display.shown.count == 2)
        viewModel.name = "Ada"
        viewModel.signUp()
        display.updates.flush()
        #expect(display.shown.count == 3)
        withExtendedLifetime(view) {}
    }

    @Test func `the profile shows that the user is being signed out, and nothing else of the session`() async throws {
        let viewModel = ProfileViewModel(
            userSession: trip.session, userSessionRepository: trip.userSessionRepository,
            notSignedInResponder: responder, closed: {})
        let view = ProfileViewController(viewModel: viewModel, in: display)
        viewModel.closeProfile()
        display.updates.flush()
        #expect(display.shown == [.profile(ProfileScreen(trip.session.profile))])
        viewModel.signOut()
        display.updates.flush()
        try await trip.world.signOut.passes()
        try await eventually { !responder.events.isEmpty }
        display.updates.flush()
        #expect(display.shown.dropFirst() == [.profile(ProfileScreen(trip.session.profile, isSigningOut: true))])
        withExtendedLifetime(view) {}
    }

    @Test func `a ride that looks the same is not shown again`() async throws {
        let rides = TestRides(cancelled: trip.ride(.cancelledByRider))
        let viewModel = WaitingForPickupViewModel(
            ride: trip.ride(), newRideRepository: rides, publisher: SignedInViewPublisher(),
            errorMessages: errorMessages)
        let view = WaitingForPickupViewController(viewModel: viewModel, in: display)
        try await eventually { rides.followed == 1 }
        // The screen does not show the history.
        let same = trip.ride().applying(RideUpdate(history: [Ride.Event(status: .requested, at: .sample)]))
        rides.update(same)
        try await eventually { viewModel.ride == same }
        display.updates.flush()
        #expect(display.shown == [.content(.waitingForPickup(WaitingScreen(ride: trip.ride())))])
        rides.update(trip.ride(.arriving))
        try await eventually { display.shown.count == 2 }
        #expect(display.shown.last == .content(.waitingForPickup(WaitingScreen(ride: trip.ride(.arriving)))))
        withExtendedLifetime(view) {}
    }

    @Test func `options that are loaded behind the drop-off picker show nothing until it is closed`() async throws {
        let scene = PickMeUpScene(trip, errorMessages)
        let view = scene.makeView(in: display)
        scene.viewModel.showSelectDropoffLocationView()
        scene.viewModel.dropOffUser(at: trip.dropoff)
        scene.viewModel.showSelectDropoffLocationView()
        display.updates.flush()
        let before = display.shown
        try await trip.world.rideOptions.passes()
        try await eventually { !scene.options.isLoading }
        display.updates.flush()
        #expect(display.shown == before)
        scene.viewModel.cancelDropoffLocationSelection()
        display.updates.flush()
        #expect(display.shown.count == before.count + 1)
        guard case .content(.pickMeUp(let screen)) = display.shown.last,
            case .selectRideOption(let picker) = screen.step
        else { return #expect(Bool(false), "the options are not shown") }
        #expect(picker.options.map(\.id) == scene.options.options.map(\.id))
        withExtendedLifetime(view) {}
    }

    @Test func `the window shows the oldest error and the connection, each without the content`() async throws {
        let container = KooberAppDependencyContainer(model: trip.world, destination: nil)
        let view = container.makeMainViewController(in: display)
        #expect(display.shown == [.profile(nil), .content(.launching), .error(nil), .isOffline(false)])
        container.sharedErrorMessages.present(ErrorMessage(title: .signedOut, message: .tryAgain))
        display.updates.flush()
        #expect(display.shown.dropFirst(4) == [.error(.signedOut)])
        // The second error waits.
        container.sharedErrorMessages.present(trip.error)
        display.updates.flush()
        #expect(display.shown.count == 5)
        trip.world.isOnline(false)
        try await eventually { display.shown.count == 6 }
        #expect(display.shown.last == .isOffline(true))
        view.perform(.acknowledgeError)
        display.updates.flush()
        #expect(display.shown.dropFirst(6) == [.error(.somethingWentWrong)])
    }

    @Test func `a released view shows nothing more`() {
        let viewModel = trip.signInViewModel(responder, errorMessages)
        var view: ScreenView? = SignInViewController(viewModel: viewModel, in: display)
        weak let released = view
        view = nil
        #expect(released == nil)
        viewModel.signIn()
        display.updates.flush()
        #expect(display.shown.count == 1)
    }
}

/// The map with its pickers, as the container makes them.
@MainActor private final class PickMeUpScene: PickMeUpViewControllerFactory {
    let options: RideOptionPickerViewModel
    let viewModel: PickMeUpViewModel
    private let map: PickMeUpMapViewModel
    private let trip: SampleTrip
    private let errorMessages: ErrorMessages

    init(_ trip: SampleTrip, _ errorMessages: ErrorMessages) {
        self.trip = trip
        self.errorMessages = errorMessages
        map = PickMeUpMapViewModel(pickupLocation: trip.pickup)
        options = RideOptionPickerViewModel(
            rideOptionRepository: trip.world.makeRideOptionRepository(for: trip.session), errorMessages: errorMessages)
        viewModel = PickMeUpViewModel(
            pickupLocation: trip.pickup, map: map, rideOptionPicker: options,
            newRideRepository: trip.world.makeNewRideRepository(for: trip.session),
            publisher: SignedInViewPublisher(), errorMessages: errorMessages)
        options.rideOptionDeterminedResponder = viewModel
    }

    func makeView(in display: any Display) -> ScreenView {
        PickMeUpViewController(viewModel: viewModel, map: map, viewControllerFactory: self, in: display)
    }

    func makeDropoffLocationPickerViewController(in display: any Display) -> DropoffLocationPickerViewController {
        DropoffLocationPickerViewController(
            viewModel: DropoffLocationPickerViewModel(
                pickupLocation: trip.pickup, locationRepository: trip.world.makeLocationRepository(for: trip.session),
                dropoffLocationDeterminedResponder: viewModel, cancelDropoffLocationSelectionResponder: viewModel,
                errorMessages: errorMessages),
            in: display)
    }

    func makeRideOptionPickerViewController(in display: any Display) -> RideOptionPickerViewController {
        RideOptionPickerViewController(viewModel: options, in: display)
    }
}

/// Records every call to show something.
@MainActor private final class DisplayLog: Display {
    enum Shown: Equatable {
        case content(KooberScreen.Content)
        case profile(ProfileScreen?)
        case error(Phrase?)
        case isOffline(Bool)
    }

    let updates = UpdateCycle()
    private(set) var shown: [Shown] = []

    func show(_ content: KooberScreen.Content) { shown.append(.content(content)) }
    func show(profile: ProfileScreen?) { shown.append(.profile(profile)) }
    func show(error: ErrorMessage?) { shown.append(.error(error?.title)) }
    func show(isOffline: Bool) { shown.append(.isOffline(isOffline)) }
}
