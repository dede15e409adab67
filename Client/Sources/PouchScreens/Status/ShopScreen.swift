import PouchCoordination

/// A screen of a shop.
///
/// It sends what somebody wants up the chain, shows that it is under way while it waits for the answer, and shows what
/// was thrown as a `ScreenFailure`.
@MainActor
public protocol ShopScreen: Screen {
    var status: ShopStatus { get set }
    /// What to tell once, as that the session has ended. The screen shows one after the other, and takes out the first when
    /// somebody has taken note of it.
    var notices: [Notice] { get set }
}
