import PouchClient
import PouchCoordination
import PouchScreens

/// The cart, and the steps from there to delivery, payment and confirmation.
open class CartCoordinator: DeliveryCoordinator {
    /// The changes since the cart came on screen.
    private var changes: [CartChange] = []

    open override func didStart() {
        guard let screen = try? factory.makeCartScreen() else { return }
        screen.cart = LoadState(dependency?.cart?.state?.cart.value, isLoading: true)
        display(screen)
    }

    /// Goes back to the cart screen; after a purchase, to a new one.
    open override func show(_ page: ShopPage) async throws -> Bool {
        guard page == .cart else { return false }
        if let screen = lastScreen((any CartScreen).self) {
            pop(to: screen)
            reload(screen)
        } else {
            didStart()
        }
        return true
    }

    open override func didActivate() {
        super.didActivate()
        guard let cart = dependency?.cart else { return }
        changes = []
        // After a purchase there is no cart screen.
        guard let screen = lastScreen((any CartScreen).self) else { return }
        showChanges(on: screen)
        follow(cart.states()) { [weak self] in self?.cartDidChange($0) }
        follow(cart.updates()) { [weak self] in self?.receive($0) }
        whileActive { await cart.keepFresh() }
    }

    open override func load(_ screen: any ShopScreen) async throws(MissingDependency) {
        guard let screen = screen as? any CartScreen else { return try await super.load(screen) }
        let cart = try needed(\.cart)
        screen.cart.startLoading()
        do throws(DataError) {
            screen.cart = LoadState(try await cart.refresh())
        } catch {
            // Shown even if another refresh has ended since, for example because the session has ended.
            screen.cart.fail(error)
        }
        // It may have been edited while it was read.
        if let state = cart.state { screen.cart = LoadState(state.cart) }
        mark(screen, isOutdated: screen.cart.isOutdated)
    }

    open override func didBuy(_ order: Order) {
        showOnlyConfirmation(of: order)
    }

    private func cartDidChange(_ state: CartState?) {
        guard let screen = lastScreen((any CartScreen).self) else { return }
        var shown: LoadState<Cart> = state.map { LoadState($0.cart) } ?? LoadState()
        shown.isLoading = screen.cart.isLoading
        guard shown != screen.cart, shown.value != nil || screen.cart.value != nil else { return }
        screen.cart = shown
        showChanges(on: screen)
        // The cart was bought, or belonged to an earlier session.
        if state == nil { reload(screen) }
    }

    private func receive(_ update: CartUpdate) {
        switch update {
        case .changed(let new):
            changes += new
            if let screen = lastScreen((any CartScreen).self) { showChanges(on: screen) }
        case .refused(let edit, let error): notify(Notice(edit, refusedWith: error))
        }
    }

    /// Shows the changes that were received, and those that the cart itself lists.
    private func showChanges(on screen: any CartScreen) {
        let ofCart = screen.cart.value?.changes ?? []
        screen.changes = changes + ofCart.filter { !changes.contains($0) }
    }

    // MARK: Checkout

    open override func registerHandlers() {
        super.registerHandlers()
        handle(BeginCheckout.self) { try await $0.beginCheckout($1) }
        handle(ChooseDelivery.self) { try await $0.chooseDelivery($1) }
    }

    open func beginCheckout(_ message: BeginCheckout) async throws {
        let cart = try needed(\.cart)
        guard let known = cart.state?.cart.value, !known.lines.isEmpty else {
            throw ScreenFailure(DataError(.cartEmpty))
        }
        if let screen = lastScreen((any ShippingScreen).self) { return pop(to: screen) }
        let screen = try factory.makeShippingScreen()
        screen.address = known.shipping?.address
        screen.methodId = known.shipping?.methodId
        screen.methods = .loading
        display(screen)
    }

    open func chooseDelivery(_ message: ChooseDelivery) async throws {
        let address = message.address
        let (cart, checkout) = (try needed(\.cart), try needed(\.checkout))
        do throws(DataError) {
            try await cart.setShipping(methodId: message.methodId, to: address)
        } catch {
            // Show the current methods, from which the buyer chooses again.
            if error.reason == .unknownShippingMethod, let screen = lastScreen((any ShippingScreen).self) {
                await fillMethods(
                    of: screen, country: address.country, postalCode: address.postalCode, location: address.location,
                    from: checkout)
            }
            return try await attempt { throw error }
        }
        try await startPayment(of: .cart)
    }
}
