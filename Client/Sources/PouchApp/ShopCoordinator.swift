import PouchClient
import PouchCoordination
import PouchScreens

/// The base class of a shop's coordinators: it fills screens, updates their status while it is active, and can start a
/// payment anywhere in the tree.
public class ShopCoordinator: NavigationCoordinator<AppDependency> {
    let factory: any ScreenFactory
    private var connectivity = Connectivity.unknown
    /// Screens whose data may be out of date.
    private var outdated: Set<ObjectIdentifier> = []
    var latest = Latest()

    /// - Parameters:
    ///   - stack: may be shared with other coordinators.
    ///   - factory: creates the screens.
    public init(on stack: NavigationStack, screens factory: any ScreenFactory) {
        self.factory = factory
        super.init(on: stack)
    }

    // MARK: Screens

    /// Loads the data of a screen.
    func load(_ screen: any ShopScreen) async throws(MissingDependency) {
        switch screen {
        case let shipping as any ShippingScreen: try await load(shipping)
        case let status as any StatusScreen: try await load(status)
        default: break
        }
    }

    /// Shows a screen at once, and loads its data as soon as the managers exist.
    final func display(_ screen: any ShopScreen) {
        screen.status = status
        show(screen)
        if hasDependency { reload(screen) }
    }

    /// Replaces all screens of this coordinator by one, and passes on the notices of the others.
    final func showOnly(_ screen: any ShopScreen) {
        let others = screens.filter { $0 !== screen }
        screen.status = status
        show(only: [screen])
        passOnNotices(of: others)
    }

    final func reload(_ screen: any ShopScreen) {
        untilStopped { [weak self, weak screen] in
            guard let screen else { return }
            // Without managers the screen continues to load until they exist.
            try? await self?.load(screen)
        }
    }

    /// Marks a screen whose data may be out of date. It is loaded again when the shop can be reached.
    final func mark(_ screen: any ShopScreen, isOutdated: Bool) {
        if isOutdated { outdated.insert(ObjectIdentifier(screen)) } else { outdated.remove(ObjectIdentifier(screen)) }
    }

    private func reloadOutdated() {
        let screens = screens.filter { outdated.contains(ObjectIdentifier($0)) }
        outdated = []
        for screen in screens { if let screen = screen as? any ShopScreen { reload(screen) } }
    }

    /// The highest screen of a kind, as in `lastScreen((any CartScreen).self)`.
    final func lastScreen<Kind>(_ kind: Kind.Type) -> Kind? {
        screens.reversed().lazy.compactMap { $0 as? Kind }.first
    }

    public final override func didStop() {
        passOnNotices(of: screens)
    }

    public final override func dependencyDidChange() {
        managersDidChange()
        for screen in screens { if let screen = screen as? any ShopScreen { reload(screen) } }
    }

    /// Called when the managers change.
    func managersDidChange() {}

    // MARK: Status

    final var status: ShopStatus {
        ShopStatus(
            visitor: Visitor(dependency?.account?.session), cart: CartBadge(dependency?.cart?.state),
            connectivity: connectivity)
    }

    public override func didActivate() {
        if let account = dependency?.account {
            follow(account.sessions()) { [weak self] _ in self?.updateStatus() }
        }
        if let cart = dependency?.cart {
            follow(cart.states()) { [weak self] _ in self?.updateStatus() }
        }
        if let connection = dependency?.connection {
            follow(connection.connections()) { [weak self] in self?.connectivityDidChange(Connectivity($0)) }
        }
        updateStatus()
        watchStatus()
    }

    public override func didPop(_ screens: [any Screen]) {
        watchStatus()
    }

    private func connectivityDidChange(_ connectivity: Connectivity) {
        let isBack = self.connectivity == .offline && connectivity == .online
        self.connectivity = connectivity
        updateStatus()
        if isBack { reloadOutdated() }
    }

    /// Handles each value while the coordinator is active.
    final func follow<Value: Sendable>(
        _ values: AsyncStream<Value>, _ handle: @escaping @MainActor (Value) -> Void
    ) {
        whileActive {
            for await value in values { handle(value) }
        }
    }

    /// Called when another visitor uses this screen.
    func visitorDidChange(on screen: any ShopScreen) {}

    private func updateStatus() {
        let status = status
        for screen in screens {
            guard let screen = screen as? any ShopScreen, screen.status != status else { continue }
            let isSame = status.visitor.isSame(as: screen.status.visitor)
            screen.status = status
            if !isSame { visitorDidChange(on: screen) }
        }
    }

    /// Shows a notice on the top screen, after the notices that it has. If that is not a screen of the shop, or is one
    /// to sign in, which leaves by itself, the highest other screen below shows the notice.
    public final func notify(_ notice: Notice) {
        stack.notify(notice)
    }

    /// Moves the notices of screens that are about to leave to the screen that is on top afterwards.
    private func passOnNotices(of screens: [any Screen]) {
        let notices = screens.flatMap { ($0 as? any ShopScreen)?.notices ?? [] }
        guard !notices.isEmpty else { return }
        Task { [stack] in for notice in notices { stack.notify(notice) } }
    }

    // MARK: Messages

    /// Does the work of a message, and throws its `DataError` as the failure to show.
    @discardableResult
    func attempt<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as DataError {
            guard error.reason != .cancelled else { throw CancellationError() }
            throw ScreenFailure(error)
        }
    }

    /// Does the work with a manager, as soon as it exists.
    @discardableResult
    func attempt<Manager: Sendable, Value>(
        _ manager: any KeyPath<AppDependency, Manager?> & Sendable, _ work: (Manager) async throws -> Value
    ) async throws -> Value {
        let manager = try needed(manager)
        return try await attempt { try await work(manager) }
    }

    // MARK: Navigation

    /// Asks a coordinator above to show a page.
    func go(to page: ShopPage) async throws {
        try await send(to: (any NavigationMessages).self) { try await $0.show(page) }
    }

    /// Called when an order was placed, after the screens of its payment have left.
    func didBuy(_ order: Order) {
        display(confirmation(of: order))
    }

    final func confirmation(of order: Order) -> any ConfirmationScreen {
        let screen = factory.makeConfirmationScreen()
        screen.order = LoadState(order)
        return screen
    }
}

extension ShopCoordinator: RefreshMessages {
    public final func refresh() async throws {
        if let screen = lastScreen((any ShopScreen).self) { try await load(screen) }
    }
}

extension ShopCoordinator: PurchaseMessages {
    public final func purchaseNow(_ product: Product) async throws {
        guard product.variants.count == 1 else { return try await go(to: .product(handle: product.handle)) }
        try await purchaseNow(sku: product.variants[0].sku, quantity: 1)
    }

    public final func purchaseNow(sku: String, quantity: Int) async throws {
        let line = OrderDraft.Line(sku: sku, quantity: quantity)
        startPayment(of: .items(OrderDraft(lines: [line])))
    }

    public final func purchaseDone(_ order: Order) async throws {
        stack.update {
            child(PaymentCoordinator.self)?.stop()
            didBuy(order)
        }
        guard let account = dependency?.account, account.session?.kind == .customer,
            let address = order.shipping?.address
        else { return }
        // A failure means that the customer types the address again.
        untilStopped { try? await account.rememberAddress(address) }
    }

    public final func purchaseShowStatus() async throws {
        guard let order = lastScreen((any ConfirmationScreen).self)?.order else { return }
        let screen = factory.makeStatusScreen()
        screen.order = order
        display(screen)
        watchStatus()
    }

    /// Starts a payment. It replaces an earlier one.
    final func startPayment(of subject: PaymentCoordinator.Subject) {
        stack.update {
            child(PaymentCoordinator.self)?.stop()
            start(PaymentCoordinator(of: subject, on: stack, screens: factory))
        }
    }

    private func load(_ screen: any StatusScreen) async throws(MissingDependency) {
        let orders = try needed(\.orders)
        guard let order = screen.order.value else { return }
        await fill(\(any StatusScreen).order, of: screen) { () throws(DataError) in
            try await orders.order(id: order.id)
        }
        if let confirmation = lastScreen((any ConfirmationScreen).self), let known = screen.order.value,
            confirmation.order.value?.id == known.id
        {
            confirmation.order.value = known
        }
    }

    /// Reads an order at intervals while its payment is being settled and its screen is on top.
    private func watchStatus() {
        guard pendingStatus != nil, let (clock, interval) = dependency.map({ ($0.clock, $0.statusInterval) }) else {
            return
        }
        let slot = Latest.Slot(\ShopCoordinator.pendingStatus, of: self)
        let watch = latest.start(slot)
        whileActive { [weak self] in
            while (try? await clock.sleep(for: interval)) != nil, self?.latest.counts(watch, for: slot) == true,
                let screen = self?.pendingStatus
            {
                try? await self?.load(screen)
            }
        }
    }

    /// The top screen, if it shows an order whose payment is being settled.
    private var pendingStatus: (any StatusScreen)? {
        guard let screen = screens.last as? any StatusScreen, screen.order.value?.status == .pending else { return nil }
        return screen
    }
}

extension NavigationStack {
    fileprivate func notify(_ notice: Notice) {
        let shown = (screens + [topScreen].compactMap(\.self))
            .filter { !($0 is any SignInScreen) && !($0 is any RegisterScreen) }
        shown.reversed().lazy.compactMap { $0 as? any ShopScreen }.first?.notices.append(notice)
    }
}

// MARK: - Status

extension Visitor {
    init(_ session: UserSession?) {
        self =
            switch (session, session?.profile) {
            case (nil, _): .signedOut
            case (_, let profile?): .customer(profile)
            default: .guest
            }
    }

    /// Whether it is the same person as before. A signed-out visitor becomes a guest by using the shop.
    func isSame(as earlier: Visitor) -> Bool {
        switch (earlier, self) {
        case (.signedOut, .guest): true
        case (.customer(let before), .customer(let now)): before.id == now.id
        default: self == earlier
        }
    }
}

extension CartBadge {
    init(_ state: CartState?) {
        self.init(unitCount: state?.cart.unitCount, pendingChanges: state?.pendingCount ?? 0)
    }
}

extension Connectivity {
    fileprivate init(_ connection: Connection) {
        self =
            switch connection {
            case .online: .online
            case .offline: .offline
            }
    }
}
