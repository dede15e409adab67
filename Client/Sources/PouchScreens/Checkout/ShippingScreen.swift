import PouchEntities

/// How and where to deliver.
///
/// Sends `CheckoutMessages`.
@MainActor
public protocol ShippingScreen: ShopScreen {
    /// What to begin with; nil when nothing is known.
    var address: Address? { get set }
    /// Those of the account's book.
    var savedAddresses: [Address] { get set }
    /// The ways of delivery to the place that was last asked for.
    var methods: LoadState<[ShippingMethod]> { get set }
    /// The places that were last searched for.
    var places: LoadState<[NamedLocation]> { get set }
    /// The method that was chosen before.
    var methodId: String? { get set }
}
