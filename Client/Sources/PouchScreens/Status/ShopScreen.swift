import PouchCoordination

/// A screen of a shop.
///
/// It sends what somebody wants up the chain, shows that it is under way while it waits for the answer, and shows what
/// was thrown as a `ScreenFailure`.
@MainActor
public protocol ShopScreen: Screen {
    var status: ShopStatus { get set }
    /// Something to tell once, as that the session has ended. The screen shows it until somebody has taken note.
    var notice: Notice? { get set }
}
