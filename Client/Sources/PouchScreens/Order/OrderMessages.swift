/// What screens about orders may ask of whoever shows them.
@MainActor
public protocol OrderMessages {
    /// Cancels the order that the screen shows, before fulfilment; it is refunded in full.
    func orderCancel() async throws
    /// Chooses another way of delivery for the order that the screen shows: one of those that its `deliveryFailure` offers.
    /// What it costs less is refunded, what it costs more is not charged.
    func orderChangeDelivery(methodId: String) async throws
    /// Adds the next page to the orders that the screen shows; nothing after the last.
    func ordersShowMore() async throws
}
