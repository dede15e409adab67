/// What became of one shopper.
struct ShopperReport: Sendable {
    var violations: [String] = []
    /// Ids of orders that the SDK gave as bought.
    var orders: [String] = []
    /// Calls that the SDK could not carry through by itself, so that they were made again.
    var openOutcomes = 0
    var restarts = 0
    /// Edits to the cart that were refused later, as the shopper was told.
    var told = 0
    var fates: [Fate: Int] = [:]
}
