import PouchClient
import PouchCoordination
import PouchScreens

/// The account: profile, orders, signing in and signing up. A visitor without a session has to sign in before a page
/// that requires one.
open class AccountCoordinator: ShopCoordinator {
    private struct ShownRide: Equatable {
        let id: Ride.ID
        let screen: ObjectIdentifier
    }

    /// The page to show after signing in.
    private var goal: ShopPage
    /// The ride that is followed for the order on top.
    private var shownRide: ShownRide?
    /// The cursor of the orders that were read from this device; the next page comes from the device, too.
    private var knownCursor: String?

    public init(showing page: ShopPage, on stack: ScreenStack, screens factory: any ScreenFactory) {
        goal = page
        super.init(on: stack, screens: factory)
    }

    open override func didStart() {
        if let screen = try? screen(for: goal) { display(screen) }
    }

    open override func load(_ screen: any ShopScreen) async throws(MissingDependency) {
        switch screen {
        case let screen as any ProfileScreen:
            let account = try needed(\.account)
            await fill(\(any ProfileScreen).profile, of: screen) { () throws(DataError) in
                try await account.profile()
            }
        case let screen as any OrdersScreen:
            let orders = try needed(\.orders)
            // While the shop cannot be reached, the orders from this device are shown below the failure.
            let known = { () async -> Page<Order>? in
                let page = try? await orders.knownOrders()
                self.knownCursor = page?.nextCursor
                return page
            }
            await fill(\(any OrdersScreen).orders, of: screen, orElse: known) { () throws(DataError) in
                try await orders.orders()
            }
        case let screen as any OrderScreen:
            let orders = try needed(\.orders)
            let id = screen.orderId
            let isRead = await fill(
                \(any OrderScreen).order, of: screen, orElse: { (try? await orders.knownOrder(id: id)) ?? nil }
            ) { () throws(DataError) in
                try await orders.order(id: id)
            }
            if isRead, let order = screen.order.value { showInList(order) }
            followRide()
        default: try await super.load(screen)
        }
    }

    /// The screen of a page, or the sign-in screen if the page requires a session.
    private func screen(for page: ShopPage) throws(ScreenFailure) -> any ShopScreen {
        let session = dependency?.account?.session
        switch page {
        case .register: return try factory.makeRegisterScreen()
        case .profile where session?.kind == .customer || session?.kind == .admin:
            let screen = try factory.makeProfileScreen()
            screen.profile = LoadState(session?.profile, isLoading: true)
            return screen
        case .orders where session != nil:
            let screen = try factory.makeOrdersScreen()
            screen.orders = .loading
            return screen
        case .order(let id) where session != nil:
            let screen = try factory.makeOrderScreen()
            screen.orderId = id
            screen.order = .loading
            return screen
        default:
            let screen = try factory.makeSignInScreen()
            screen.email = session?.profile?.email
            return screen
        }
    }

    /// Removes the data of the earlier session, and loads those of the new one.
    open override func visitorDidChange(on screen: any ShopScreen) {
        switch screen {
        case let screen as any ProfileScreen: forget(\(any ProfileScreen).profile, of: screen)
        case let screen as any OrdersScreen: forget(\(any OrdersScreen).orders, of: screen)
        case let screen as any OrderScreen:
            screen.ride = nil
            forget(\(any OrderScreen).order, of: screen)
        default: break
        }
        if status.visitor != .signedOut { reload(screen) }
    }

    private func forget<Screen, Value>(_ data: ReferenceWritableKeyPath<Screen, LoadState<Value>>, of screen: Screen) {
        let isSignedOut = status.visitor == .signedOut
        put(
            LoadState(isLoading: !isSignedOut, failure: isSignedOut ? ScreenFailure(DataError(.notSignedIn)) : nil),
            into: data, of: screen)
    }

    /// Updates an order in the list that is already loaded.
    private func showInList(_ order: Order) {
        guard let screen = lastScreen((any OrdersScreen).self), let list = screen.orders.value else { return }
        screen.orders.value = Page(
            items: list.items.map { $0.id == order.id ? order : $0 }, nextCursor: list.nextCursor)
    }

    // MARK: The ride of the order on top

    open override func didActivate() {
        super.didActivate()
        shownRide = nil
        followRide()
    }

    open override func didPop(_ screens: [any Screen]) {
        super.didPop(screens)
        followRide()
    }

    /// Shows the ride's progress while the order is on top, and reads the order again at each status.
    private func followRide() {
        guard isActive, let rides = dependency?.rides, dependency?.account?.session?.kind == .customer,
            let screen = screens.last as? any OrderScreen, let order = screen.order.value
        else { return shownRide = nil }
        let id = order.isUnderWay ? order.rideId : nil
        if screen.ride?.id != id { screen.ride = nil }
        guard let id else { return shownRide = nil }
        let shown = ShownRide(id: id, screen: ObjectIdentifier(screen))
        guard shown != shownRide else { return }
        shownRide = shown
        whileActive { [weak self, weak screen] in
            do {
                for try await ride in rides.follow(id) {
                    guard let self, let screen, shownRide == shown else { return }
                    let isFurther = screen.ride.map { $0.id == id && $0.history.count < ride.history.count } ?? false
                    screen.ride = ride
                    if isFurther { reload(screen) }
                }
            } catch {
                // The order is shown without the ride, whose progress is unknown now.
                guard let self, shownRide == shown else { return }
                shownRide = nil
                screen?.ride = nil
            }
        }
    }

    /// Goes to the page that required signing in.
    private func showGoal() {
        if returnToPayment() { return }
        guard goal != .signIn, goal != .register, let screen = try? screen(for: goal) else { return finish() }
        showOnly(screen)
        reload(screen)
    }

    // MARK: Messages

    open override func registerHandlers() {
        super.registerHandlers()
        handle(SignIn.self) { try await $0.signIn($1) }
        handle(Register.self) { try await $0.register($1) }
        handle(SignOut.self) { try await $0.signOut($1) }
        handle(UpdateProfile.self) { try await $0.updateProfile($1) }
        handle(DeleteAccount.self) { try await $0.deleteAccount($1) }
        handle(CancelOrder.self) { try await $0.cancelOrder($1) }
        handle(ChangeDelivery.self) { try await $0.changeDelivery($1) }
        handle(ShowMoreOrders.self) { try await $0.showMoreOrders($1) }
    }

    open override func show(_ page: ShopPage) async throws -> Bool {
        switch page {
        case .profile, .orders, .order:
            let screen = try screen(for: page)
            goal = page
            display(screen)
        case .signIn, .register:
            display(try screen(for: page))
        case .home, .listing, .product, .cart, .app:
            return false
        }
        return true
    }

    open func signIn(_ message: SignIn) async throws {
        try await send(message)
        showGoal()
    }

    open func register(_ message: Register) async throws {
        try await send(message)
        showGoal()
    }

    open func signOut(_ message: SignOut) async throws {
        try await send(message)
        finish()
    }

    open func updateProfile(_ message: UpdateProfile) async throws {
        try await send(message)
        guard let screen = lastScreen((any ProfileScreen).self) else { return }
        if let profile = dependency?.account?.session?.profile {
            put(LoadState(profile), into: \(any ProfileScreen).profile, of: screen)
        }
    }

    open func deleteAccount(_ message: DeleteAccount) async throws {
        try await send(message)
        finish()
    }

    // MARK: Orders

    open func cancelOrder(_ message: CancelOrder) async throws {
        try await change { orders, id throws(DataError) in try await orders.cancel(id: id) }
    }

    open func changeDelivery(_ message: ChangeDelivery) async throws {
        try await change { orders, id throws(DataError) in
            try await orders.changeDelivery(of: id, methodId: message.methodId)
        }
    }

    /// Changes the order on screen.
    private func change(_ call: (OrderManager, Order.ID) async throws(DataError) -> Order) async throws {
        let orders = try needed(\.orders)
        guard let screen = lastScreen((any OrderScreen).self) else { return }
        let order: Order
        do throws(DataError) {
            order = try await call(orders, screen.orderId)
        } catch {
            // The order may have changed elsewhere: show its current state.
            if error.isOutdated { reload(screen) }
            return try await attempt { throw error }
        }
        put(LoadState(order), into: \(any OrderScreen).order, of: screen)
        showInList(order)
        followRide()
    }

    open func showMoreOrders(_ message: ShowMoreOrders) async throws {
        let orders = try needed(\.orders)
        guard let screen = lastScreen((any OrdersScreen).self), let shown = screen.orders.value,
            let cursor = shown.nextCursor
        else { return }
        let isKnown = cursor == knownCursor
        let page = try await nextPage { () throws(DataError) in
            isKnown ? try await orders.knownOrders(cursor: cursor) : try await orders.orders(cursor: cursor)
        } orReload: {
            reload(screen)
        }
        guard let page else { return }
        // The message was sent twice, or the list has been reloaded since.
        guard screen.orders.value?.nextCursor == cursor else { return }
        if isKnown { knownCursor = page.nextCursor }
        screen.orders = LoadState(
            Page(items: shown.items + page.items, nextCursor: page.nextCursor), failure: screen.orders.failure)
    }
}

extension DataError {
    /// Whether the order on screen is out of date.
    fileprivate var isOutdated: Bool {
        [.notCancellable, .deliverySettled, .unknownShippingMethod, .changedElsewhere].contains(reason)
    }
}
