import PouchEntities

/// The last look at what is bought, and how it is paid.
///
/// Sends `PaymentMessages`, and `NavigationMessages` with `.signIn` from a guest. Whoever has signed in is brought back.
@MainActor
public protocol PaymentScreen: ShopScreen {
    var purchase: LoadState<Purchase> { get set }
    /// Whether an e-mail address has to be given, as by a guest.
    var needsEmail: Bool { get set }
}
