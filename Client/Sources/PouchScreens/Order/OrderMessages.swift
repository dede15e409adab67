/// What screens about orders may ask of whoever shows them.
@MainActor
public protocol OrderMessages {
    /// Cancels the order that the screen shows, before fulfilment; it is refunded in full.
    func orderCancel() async throws
    /// Adds the next page to the orders that the screen shows; nothing after the last.
    func ordersShowMore() async throws
}
