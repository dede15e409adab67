import PouchClient
import PouchCoordination
import PouchScreens

/// What the coordinators of a shop have in common: they fill screens, keep their status up while they are active, and
/// can each lead to a payment, wherever in the tree they run.
@MainActor
public class ShopCoordinator: NavigationCoordinator<AppDependency> {
    let factory: any ScreenFactory
    private var connectivity = Connectivity.unknown
    /// Whether it has heard of its managers; until then, what it shows goes on loading.
    private var isTold = false
    /// Screens that show less than the shop would say now.
    private var outdated: Set<ObjectIdentifier> = []
    var readings = Readings()
    /// Counts what follows an order's status; the latest goes on.
    private var watches = 0

    /// - Parameters:
    ///   - stack: may be shared with others.
    ///   - factory: makes the screens.
    public init(on stack: NavigationStack, screens factory: any ScreenFactory) {
        self.factory = factory
        super.init(on: stack)
    }

    // MARK: Screens

    /// Reads what the screen shows, into its data.
    func load(_ screen: any ShopScreen) async throws(MissingDependency) {
        switch screen {
        case let shipping as any ShippingScreen: try await load(shipping)
        case let status as any StatusScreen: try await load(status)
        default: break
        }
    }

    /// Shows the screen at once, and fills it as soon as it can.
    final func display(_ screen: any ShopScreen) {
        screen.status = status
        show(screen)
        if isTold { reload(screen) }
    }

    /// Shows the screen, in the place of all its own.
    final func showOnly(_ screen: any ShopScreen) {
        let others = screens.filter { $0 !== screen }
        screen.status = status
        show(only: [screen])
        passOnNotices(of: others)
    }

    final func reload(_ screen: any ShopScreen) {
        untilStopped { [weak self, weak screen] in
            guard let screen else { return }
            // Without its managers it goes on loading until they are there.
            try? await self?.load(screen)
        }
    }

    /// Notes whether a screen shows what the shop says now. One that does not is read anew when it can be reached again.
    final func note(_ screen: any ShopScreen, isOutdated: Bool) {
        if isOutdated { outdated.insert(ObjectIdentifier(screen)) } else { outdated.remove(ObjectIdentifier(screen)) }
    }

    private func reloadOutdated() {
        let screens = screens.filter { outdated.contains(ObjectIdentifier($0)) }
        outdated = []
        for screen in screens { if let screen = screen as? any ShopScreen { reload(screen) } }
    }

    /// The highest of its screens that is of a kind, as in `lastScreen((any CartScreen).self)`.
    final func lastScreen<Kind>(_ kind: Kind.Type) -> Kind? {
        screens.reversed().lazy.compactMap { $0 as? Kind }.first
    }

    public final override func didStop() {
        isTold = false
        passOnNotices(of: screens)
    }

    public final override func dependencyDidChange() {
        isTold = true
        managersDidChange()
        for screen in screens { if let screen = screen as? any ShopScreen { reload(screen) } }
    }

    /// There are other managers than before.
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
            follow(connection.connections()) { [weak self] in self?.take(Connectivity($0)) }
        }
        updateStatus()
        watchStatus()
    }

    public override func didPop(_ screens: [any Screen]) {
        watchStatus()
    }

    private func take(_ connectivity: Connectivity) {
        let isBack = self.connectivity == .offline && connectivity == .online
        self.connectivity = connectivity
        updateStatus()
        if isBack { reloadOutdated() }
    }

    /// Does something with each value while the coordinator is active.
    final func follow<Value: Sendable>(
        _ values: AsyncStream<Value>, _ take: @escaping @MainActor (Value) -> Void
    ) {
        whileActive {
            for await value in values { take(value) }
        }
    }

    /// Somebody else looks at this screen of it now.
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

    /// Tells something once, on whatever screen is on top of all, after what nobody has taken note of there yet.
    /// Where that is one of the app's own, which show no notices, or one to sign in, which goes by itself, it is told on the
    /// shop's highest below.
    public final func tell(_ notice: Notice) {
        stack.tell(notice)
    }

    /// What nobody has taken note of on screens that are about to go is told where one looks when they have gone.
    private func passOnNotices(of screens: [any Screen]) {
        let notices = screens.flatMap { ($0 as? any ShopScreen)?.notices ?? [] }
        guard !notices.isEmpty else { return }
        Task { [stack] in for notice in notices { stack.tell(notice) } }
    }

    // MARK: Ways

    /// Asks whoever knows the way to show a page.
    func go(to page: ShopPage) async throws {
        try await send(to: (any NavigationMessages).self) { try await $0.show(page) }
    }

    /// Somebody has bought something, and its payment's screens are gone.
    func didBuy(_ order: Order) {
        showConfirmation(of: order)
    }

    final func confirmation(of order: Order) -> any ConfirmationScreen {
        let screen = factory.makeConfirmationScreen()
        screen.order = LoadState(order)
        return screen
    }

    private func showConfirmation(of order: Order) {
        display(confirmation(of: order))
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
        // For the next delivery; without it, it is only typed again.
        untilStopped { try? await account.rememberAddress(address) }
    }

    public final func purchaseShowStatus() async throws {
        guard let order = lastScreen((any ConfirmationScreen).self)?.order else { return }
        let screen = factory.makeStatusScreen()
        screen.order = order
        display(screen)
        watchStatus()
    }

    /// One at a time: whoever asks twice means the latter.
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

    /// Looks again and again how an order stands, as long as its payment is being settled and the screen is on top.
    private func watchStatus() {
        guard pendingStatus != nil, let (clock, interval) = dependency.map({ ($0.clock, $0.statusInterval) }) else {
            return
        }
        watches += 1
        let watch = watches
        whileActive { [weak self] in
            while (try? await clock.sleep(for: interval)) != nil, self?.watches == watch,
                let screen = self?.pendingStatus
            {
                try? await self?.load(screen)
            }
        }
    }

    /// The screen on top, where it shows an order whose payment is being settled.
    private var pendingStatus: (any StatusScreen)? {
        guard let screen = screens.last as? any StatusScreen, screen.order.value?.status == .pending else { return nil }
        return screen
    }
}
