import KooberKit
import KooberMVVM
import KooberScenarios
import KooberTexts
import PouchEntities

/// A user and a trip in a world whose answers wait for the test.
struct SampleTrip {
    let world = World(SampleService())
    let session = Sample.session
    let pickup = Sample.sydney
    let dropoff = Sample.bondi
    let waypoints = Sample.trip

    var userSessionRepository: any UserSessionRepository {
        KooberUserSessionRepository(dataStore: world.makeUserSessionDataStore(), remoteAPI: world.makeAuthRemoteAPI())
    }

    func options() async -> [PricedRideOption] { await SampleService().options(for: waypoints) }

    @MainActor
    func signInViewModel(_ responder: any SignedInResponder, _ errorMessages: ErrorMessages) -> SignInViewModel {
        SignInViewModel(
            userSessionRepository: userSessionRepository,
            submission: FormSubmission(signedInResponder: responder, errorMessages: errorMessages))
    }

    /// Each is another error with the same text.
    var error: ErrorMessage { ErrorMessage(title: .somethingWentWrong, message: .unreachable) }
}

/// Records the calls of a view model to its responders.
@MainActor
final class RecordingResponder: SignedInResponder, DropoffLocationDeterminedResponder,
    CancelDropoffLocationSelectionResponder
{
    enum Event: Hashable {
        case signedIn(UserSession)
        case dropOff(NamedLocation)
        case cancelDropoff
    }

    private(set) var events: [Event] = []

    func signedIn(to userSession: UserSession) { events.append(.signedIn(userSession)) }
    func dropOffUser(at dropoffLocation: NamedLocation) -> Bool { responds(.dropOff(dropoffLocation)) }
    func cancelDropoffLocationSelection() -> Bool { responds(.cancelDropoff) }

    private func responds(_ event: Event) -> Bool {
        events.append(event)
        return true
    }
}
