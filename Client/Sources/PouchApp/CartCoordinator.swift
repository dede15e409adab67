import PouchClient
import PouchCoordination
import PouchScreens

/// Shows the cart, and leads from there by way of the delivery and the payment to the confirmation.
@MainActor
public final class CartCoordinator: ShopCoordinator {
    /// What was told of the cart since it is looked at.
    private var changes: [CartChange] = []

    public override func didStart() {
        let screen = factory.makeCartScreen()
        screen.cart = LoadState(dependency?.cart?.cart, isLoading: true)
        display(screen)
    }

    /// Goes back to the cart, or, after a purchase, on to a new one.
    func showCart() {
        guard let screen = lastScreen((any CartScreen).self) else { return didStart() }
        pop(to: screen)
        reload(screen)
    }

    public override func didActivate() {
        super.didActivate()
        guard let cart = dependency?.cart else { return }
        changes = []
        // After a purchase the cart is not shown any more.
        guard let screen = lastScreen((any CartScreen).self) else { return }
        showChanges(on: screen)
        follow(cart.states()) { [weak self] in self?.take($0) }
        follow(cart.updates()) { [weak self] in self?.take($0) }
        whileActive { await cart.keepFresh() }
    }

    override func load(_ screen: any ShopScreen) async throws(MissingDependency) {
        guard let screen = screen as? any CartScreen else { return try await super.load(screen) }
        let cart = try needed(\.cart)
        screen.cart.begin()
        do throws(DataError) {
            screen.cart = LoadState(try await cart.refresh())
        } catch {
            // Also of a reading that another has overtaken, as of a session that has ended.
            screen.cart.fail(error)
        }
        // It may have been edited while it was read.
        if let state = cart.state { screen.cart = LoadState(state) }
        note(screen, isOutdated: screen.cart.isOutdated)
    }

    override func didBuy(_ order: Order) {
        showOnly(confirmation(of: order))
    }

    private func take(_ state: CartState?) {
        guard let screen = lastScreen((any CartScreen).self) else { return }
        var shown = state.map { LoadState($0) } ?? LoadState()
        shown.isLoading = screen.cart.isLoading
        guard shown != screen.cart, shown.value != nil || screen.cart.value != nil else { return }
        screen.cart = shown
        showChanges(on: screen)
        // It was bought, or belongs to somebody who is no longer here.
        if state == nil { reload(screen) }
    }

    private func take(_ update: CartUpdate) {
        switch update {
        case .changed(let new):
            changes += new
            if let screen = lastScreen((any CartScreen).self) { showChanges(on: screen) }
        case .refused(let edit, let error): tell(Notice(edit, refusedWith: error))
        }
    }

    /// With those that the cart itself tells of, as after its first reading.
    private func showChanges(on screen: any CartScreen) {
        let ofCart = screen.cart.value?.changes ?? []
        screen.changes = changes + ofCart.filter { !changes.contains($0) }
    }
}

extension CartCoordinator: CheckoutMessages {
    public func checkoutBegin() async throws {
        let cart = try needed(\.cart)
        guard let known = cart.cart, !known.lines.isEmpty else { throw ScreenFailure(DataError(.cartEmpty)) }
        if let screen = lastScreen((any ShippingScreen).self) { return pop(to: screen) }
        let screen = factory.makeShippingScreen()
        screen.address = known.shipping?.address
        screen.methodId = known.shipping?.methodId
        screen.methods = .loading
        display(screen)
    }

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
        let (cart, checkout) = (try needed(\.cart), try needed(\.checkout))
        do throws(DataError) {
            try await cart.setShipping(methodId: methodId, to: address)
        } catch {
            // What the buyer chooses from next are the ways that there are now.
            if error.reason == .unknownShippingMethod, let screen = lastScreen((any ShippingScreen).self) {
                await fillMethods(
                    of: screen, country: address.country, postalCode: address.postalCode, location: address.location,
                    from: checkout)
            }
            return try await attempt { () throws(DataError) in throw error }
        }
        startPayment(of: .cart)
    }
}
