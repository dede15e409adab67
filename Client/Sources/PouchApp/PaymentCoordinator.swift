import PouchClient
import PouchCoordination
import PouchScreens

/// Takes the payment of a cart, or of things that are bought without one; for those it asks how to deliver first.
///
/// What was bought it tells by `PurchaseMessages` to whoever is above it, and that one ends it. Where nobody does, it shows
/// the confirmation itself.
@MainActor
public final class PaymentCoordinator: ShopCoordinator {
    public enum Subject: Sendable {
        /// The cart with its delivery.
        case cart
        case items(OrderDraft)
    }

    /// What the buyer has been shown, and so what may be charged.
    private enum Offer {
        case cart(Cart)
        case items(OrderDraft, Money)
    }

    private var subject: Subject
    private var offer: Offer?

    public init(of subject: Subject, on stack: NavigationStack, screens factory: any ScreenFactory) {
        self.subject = subject
        super.init(on: stack, screens: factory)
    }

    public override func didStart() {
        switch subject {
        case .cart: showPayment()
        case .items(let draft):
            let screen = factory.makeShippingScreen()
            screen.address = draft.address
            screen.methods = .loading
            display(screen)
        }
    }

    override func load(_ screen: any ShopScreen) async throws(MissingDependency) {
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

    /// Whoever signs in brings a cart, and an address, of their own.
    override func visitorDidChange(on screen: any ShopScreen) {
        reload(screen)
    }

    override func didBuy(_ order: Order) {
        showOnly(confirmation(of: order))
    }

    private var needsEmail: Bool {
        if case .customer = status.visitor { false } else { true }
    }

    private func showPayment() {
        if let screen = lastScreen((any PaymentScreen).self) {
            pop(to: screen)
            return reload(screen)
        }
        let screen = factory.makePaymentScreen()
        screen.purchase = .loading
        screen.needsEmail = needsEmail
        display(screen)
    }
}

extension PaymentCoordinator: CheckoutMessages {
    /// It has begun.
    public func checkoutBegin() async throws {}

    public func checkoutFindMethods(country: String, postalCode: String?, location: GeoPoint?) async throws {
        let checkout = try needed(\.checkout)
        guard let screen = lastScreen((any ShippingScreen).self) else { return }
        await fillMethods(of: screen, country: country, postalCode: postalCode, location: location, from: checkout)
    }

    public func checkoutFindPlaces(matching query: String) async throws {
        let locations = try needed(\.locations)
        guard let screen = lastScreen((any ShippingScreen).self) else { return }
        await fillPlaces(of: screen, matching: query, from: locations)
    }

    public func checkoutDeliver(methodId: String, to address: Address) async throws {
        guard case .items(var draft) = subject else { return }
        draft.address = address
        draft.methodId = methodId
        subject = .items(draft)
        showPayment()
    }
}

extension PaymentCoordinator: PaymentMessages {
    public func paymentPay(cardToken: String, email: String?) async throws {
        let checkout = try needed(\.checkout)
        guard let offer, let screen = lastScreen((any PaymentScreen).self) else {
            throw ScreenFailure(
                "It is not known yet what there is to pay.", advice: "Try again in a moment.", remedy: .retry)
        }
        let card = PaymentMethod.card(token: cardToken)
        let order: Order
        do throws(DataError) {
            order =
                switch offer {
                case .cart(let cart): try await checkout.pay(for: cart, with: card, email: email)
                case .items(let draft, let total): try await checkout.buy(draft, for: total, with: card, email: email)
                }
        } catch {
            // What the buyer decides on next is what it costs now.
            if error.wasOfferedOtherwise { try await load(screen) }
            return try await attempt { () throws(DataError) in throw error }
        }
        // Whoever has gone back meanwhile has bought it all the same.
        guard isStarted else { return tell(Notice("Your order \(order.number) was placed.")) }
        do {
            try await send(to: (any PurchaseMessages).self) { try await $0.purchaseDone(order) }
        } catch  where isStarted {
            // It was bought, also where nobody above goes on from there.
            try await purchaseDone(order)
        }
    }
}

extension DataError {
    fileprivate var wasOfferedOtherwise: Bool {
        switch reason {
        case .priceChanged, .outOfStock, .changedElsewhere, .cartEmpty, .shippingRequired, .unknownShippingMethod,
            .discountInvalid, .discountExpired, .discountExhausted:
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
