import KooberScreens
import PouchEntities
import PouchTerminal

/// What stays while a page is made anew with each state of its screen: the texts and the focus, and where the kangaroo
/// has been.
@MainActor
final class PageState {
    let form = Form()
    private(set) var trail = Trail()
    /// Whether the last look for what the page lists failed, so that nothing is known of what there is.
    private(set) var isUnknown = false
    /// Whether nothing was heard for a while of what should move.
    var isSilent = false

    /// To be told of each state of the screen.
    func follow(_ screen: KooberScreen) {
        switch screen.content {
        case .waitingForPickup(let screen): trail.add(screen.ride.driver)
        case .pickMeUp(let pickMeUp):
            if screen.error != nil { isUnknown = true }
            if pickMeUp.step.isLooking { isUnknown = false }
        default: break
        }
    }
}

extension PickMeUpScreen.Step {
    fileprivate var isLooking: Bool {
        switch self {
        case .selectDropoffLocation(let picker): picker.isSearching
        case .selectRideOption(let picker), .confirmRequest(let picker): picker.isLoading
        case .initial, .sendingRideRequest: false
        }
    }
}
