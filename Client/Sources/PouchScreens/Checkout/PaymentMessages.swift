/// What the payment screen may ask of whoever shows it.
@MainActor
public protocol PaymentMessages {
    /// Pays what the screen shows. When the shop now wants another total, nothing is charged, the screen gets the new
    /// one, and the failure's remedy is `.review`. After a failure with the remedy `.retry` it may be sent again as it
    /// is: it is paid at most once.
    ///
    /// - Parameters:
    ///   - cardToken: stands for a card that the payment provider knows.
    ///   - email: needed from a guest.
    func paymentPay(cardToken: String, email: String?) async throws
}
