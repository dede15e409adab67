import PouchClient
import PouchCoordination
import PouchScreens

/// The payment of the cart, or of items that are bought without it. For the latter, it first asks for the delivery.
///
/// It reports the order with `OrderPlaced` to a coordinator above, which stops it. Without such a coordinator it
/// shows the confirmation itself.
open class PaymentCoordinator: DeliveryCoordinator {
    public enum Subject: Sendable {
        /// The cart with its delivery.
        case cart
        case items(OrderDraft)
    }

    /// The purchase that the buyer saw. Nothing else may be charged.
    private enum Offer {
        case cart(Cart)
        case items(OrderDraft, Money)
    }

    private var subject: Subject
    private var offer: Offer?
    /// The order, once it has been placed. Paying again only repeats the report, which may have failed.
    private var placed: Order?

    public init(of subject: Subject, on stack: ScreenStack, screens factory: any ScreenFactory) {
        self.subject = subject
        super.init(on: stack, screens: factory)
    }

    open override func didStart() {
        switch subject {
        case .cart: showPayment()
        case .items(let draft):
            guard let screen = try? factory.makeShippingScreen() else { return }
            screen.address = draft.address
            screen.methods = .loading
            display(screen)
        }
    }

    open override func load(_ screen: any ShopScreen) async throws(MissingDependency) {
        guard let screen = screen as? any PaymentScreen else { return try await super.load(screen) }
        let (cart, checkout) = (try needed(\.cart), try needed(\.checkout))
        let subject = subject
        var read: Offer?
        let isShown = await fill(\(any PaymentScreen).purchase, of: screen) { () throws(DataError) in
            switch subject {
            case .cart:
                let cart = try await cart.refresh()
                read = .cart(cart)
                return Purchase(
                    lines: cart.lines, totals: cart.totals, discount: cart.discount, shipping: cart.shipping)
            case .items(let draft):
                let preview = try await checkout.preview(draft)
                read = .items(draft, preview.totals.total)
                return Purchase(lines: preview.lines, totals: preview.totals, shipping: draft.shipping(of: preview))
            }
        }
        if isShown { offer = read }
        screen.needsEmail = needsEmail
    }

    /// Another visitor has another cart and other addresses.
    open override func visitorDidChange(on screen: any ShopScreen) {
        reload(screen)
    }

    open override func didBuy(_ order: Order) {
        showOnlyConfirmation(of: order)
    }

    private var needsEmail: Bool {
        if case .customer = status.visitor { false } else { true }
    }

    private func showPayment() {
        if let screen = lastScreen((any PaymentScreen).self) {
            pop(to: screen)
            return reload(screen)
        }
        guard let screen = try? factory.makePaymentScreen() else { return }
        screen.purchase = .loading
        screen.needsEmail = needsEmail
        display(screen)
    }

    // MARK: Messages

    open override func registerHandlers() {
        super.registerHandlers()
        handle(BeginCheckout.self) { try await $0.beginCheckout($1) }
        handle(ChooseDelivery.self) { try await $0.chooseDelivery($1) }
        handle(Pay.self) { try await $0.pay($1) }
    }

    /// The checkout is under way already.
    open func beginCheckout(_ message: BeginCheckout) async throws {}

    open func chooseDelivery(_ message: ChooseDelivery) async throws {
        guard case .items(var draft) = subject else { return }
        draft.address = message.address
        draft.methodId = message.methodId
        subject = .items(draft)
        showPayment()
    }

    open func pay(_ message: Pay) async throws {
        let checkout = try needed(\.checkout)
        if let placed { return try await report(placed) }
        guard let offer, let screen = lastScreen((any PaymentScreen).self) else {
            throw ScreenFailure(
                "The total is still being loaded.", advice: "Try again in a moment.", remedy: .retry)
        }
        let card = PaymentMethod.card(token: message.cardToken)
        let order: Order
        do throws(DataError) {
            order =
                switch offer {
                case .cart(let cart): try await checkout.pay(for: cart, with: card, email: message.email)
                case .items(let draft, let total):
                    try await checkout.buy(draft, for: total, with: card, email: message.email)
                }
        } catch {
            // Show the current price, for the buyer to decide again. This handler must not run again when managers are
            // missing: it has asked for a payment.
            if error.meansOtherOffer { try? await load(screen) }
            return try await attempt { throw error }
        }
        placed = order
        // The buyer has gone back since, but the order was placed.
        guard isStarted else { return notify(Notice(placed: order)) }
        try await report(order)
    }

    private func report(_ order: Order) async throws {
        do {
            try await send(OrderPlaced(order))
        } catch let error as UnhandledMessage where error.message == OrderPlaced.self && isStarted {
            // No coordinator above handles the order.
            try await orderPlaced(OrderPlaced(order))
        }
    }
}

extension DataError {
    /// Whether the shop's offer differs from the one that the buyer saw.
    fileprivate var meansOtherOffer: Bool {
        switch reason {
        case .priceChanged, .outOfStock, .notForSale, .changedElsewhere, .cartEmpty, .shippingRequired,
            .unknownShippingMethod, .discountInvalid, .discountExpired, .discountExhausted:
            true
        default: false
        }
    }
}

extension OrderDraft {
    fileprivate func shipping(of preview: OrderPreview) -> Shipping? {
        guard let address, let method = preview.methods.first(where: { $0.id == methodId }) else { return nil }
        return Shipping(methodId: method.id, address: address, price: method.price)
    }
}
