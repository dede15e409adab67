import KooberScreens
import PouchEntities
import PouchTerminal

/// What stays while a page is made anew with each state of its screen: the texts and the focus, and where the kangaroo
/// has been.
@MainActor
final class PageState {
    let form = Form()
    private(set) var trail = Trail()

    /// To be told of each state of the screen.
    func follow(_ content: KooberScreen.Content) {
        if case .waitingForPickup(let screen) = content { trail.add(screen.ride.driver) }
    }
}
