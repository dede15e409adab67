import PouchClient
import PouchCoordination
import PouchScreens

/// The base class of a shop's coordinators: it fills screens, updates their status while it is active, and can start a
/// payment anywhere in the tree.
///
/// An app derives its own coordinators from it:
///
///     final class LoyaltyCoordinator: ShopCoordinator {
///         override func didStart() { display(LoyaltyScreen()) }
///
///         override func load(_ screen: any ShopScreen) async throws(MissingDependency) {
///             guard let screen = screen as? LoyaltyScreen else { return try await super.load(screen) }
///             let loyalty = try needed(\.loyalty)
///             screen.points = LoadState(await loyalty.points)
///         }
///     }
open class ShopCoordinator: NavigationCoordinator<AppDependency> {
    public let factory: any ScreenFactory
    /// The screen whose order is followed.
    weak var followed: (any StatusScreen)?
    /// The most recently started payment below this coordinator.
    weak var payment: NavigationCoordinator<AppDependency>?
    private var connectivity = Connectivity.unknown
    /// The screens whose data may be out of date.
    private var outdated: Set<ObjectIdentifier> = []
    /// The most recently started load into each property of a screen. The results of earlier ones are not shown.
    var loads: [LoadTarget: Load] = [:]

    /// - Parameters:
    ///   - stack: may be shared with other coordinators.
    ///   - factory: creates the screens.
    public init(on stack: ScreenStack, screens factory: any ScreenFactory) {
        self.factory = factory
        super.init(on: stack)
    }

    // MARK: Screens

    /// Loads the data of a screen: when it is shown, when the managers change, and when the user asks for it. Overrides
    /// call super for the screens that they do not know.
    open func load(_ screen: any ShopScreen) async throws(MissingDependency) {
        switch screen {
        case let status as any StatusScreen: try await load(status)
        case let product as any ProductScreen: try await load(product)
        default: break
        }
    }

    /// Shows a screen at once, and loads its data as soon as the managers exist.
    public final func display(_ screen: any ShopScreen) {
        screen.status = status
        show(screen)
        if hasDependency { reload(screen) }
    }

    /// Replaces all screens of this coordinator by one.
    public final func showOnly(_ screen: any ShopScreen) {
        screen.status = status
        show(only: [screen])
    }

    /// The page that a link or a later run of the app can open; nil for a form. Overrides call super for the
    /// screens that they do not know.
    open func page(of screen: any ShopScreen) -> ShopPage? { ShopPage(of: screen) }

    public final func reload(_ screen: any ShopScreen) {
        untilStopped { [weak self, weak screen] in
            guard let screen else { return }
            // Without managers the screen continues to load until they exist. A load ends, so it may hold both.
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

    /// The topmost screen of a kind, as in `lastScreen((any CartScreen).self)`.
    public final func lastScreen<Kind>(_ kind: Kind.Type) -> Kind? {
        screens.reversed().lazy.compactMap { $0 as? Kind }.first
    }

    public final override func dependencyDidChange() {
        managersDidChange()
        for screen in screens { if let screen = screen as? any ShopScreen { reload(screen) } }
    }

    /// Called when the managers change, and once after the start if they exist.
    open func managersDidChange() {}

    // MARK: Status

    /// The status that the screens show.
    public final var status: ShopStatus {
        ShopStatus(
            visitor: Visitor(dependency?.account?.session), cart: CartBadge(dependency?.cart?.state),
            connectivity: connectivity)
    }

    open override func didActivate() {
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
        followed = nil
        watchStatus()
    }

    open override func didPop(_ screens: [any Screen]) {
        watchStatus()
    }

    private func connectivityDidChange(_ connectivity: Connectivity) {
        let isBack = self.connectivity == .offline && connectivity == .online
        self.connectivity = connectivity
        updateStatus()
        if isBack { reloadOutdated() }
    }

    /// Handles each value while the coordinator is active.
    public final func follow<Value: Sendable>(
        _ values: AsyncStream<Value>, _ handle: @escaping @MainActor (Value) -> Void
    ) {
        whileActive {
            for await value in values { handle(value) }
        }
    }

    /// Called when another visitor uses this screen.
    open func visitorDidChange(on screen: any ShopScreen) {}

    private func updateStatus() {
        let status = status
        for screen in screens {
            guard let screen = screen as? any ShopScreen, screen.status != status else { continue }
            let isSame = status.visitor.isSame(as: screen.status.visitor)
            screen.status = status
            if !isSame { visitorDidChange(on: screen) }
        }
    }

    /// Shows a notice on the top screen, after its other notices. A screen that does not belong to the shop, or that
    /// closes when the visitor has signed in, is skipped: the next one below shows the notice. When a screen is
    /// removed, its notices move to the screen that is then on top.
    public final func notify(_ notice: Notice) {
        stack.notify(notice)
    }

    public final override func didRemove(_ screens: [any Screen]) {
        outdated.subtract(screens.map { ObjectIdentifier($0) })
        var notices: [Notice] = []
        for screen in screens.reversed() {
            guard let screen = screen as? any ShopScreen, !screen.notices.isEmpty else { continue }
            notices += screen.notices
            screen.notices = []
        }
        guard !notices.isEmpty else { return }
        // Other stacks may change at the same time: afterwards, the top screen is known.
        Task { [stack] in for notice in notices { stack.notify(notice) } }
    }

    // MARK: Work of messages

    /// Performs the work of a message, and throws its `DataError` as the failure to show.
    @discardableResult
    public final func attempt<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch let error as DataError {
            guard error.reason != .cancelled else { throw CancellationError() }
            throw ScreenFailure(error)
        }
    }

    /// Performs work with a manager as soon as the manager exists.
    @discardableResult
    public final func attempt<Manager: Sendable, Value>(
        _ manager: KeyPath<AppDependency, Manager?>, _ work: (Manager) async throws -> Value
    ) async throws -> Value {
        let manager = try needed(manager)
        return try await attempt { try await work(manager) }
    }

    // MARK: Navigation

    /// Goes to a page: in this coordinator if it has the page, otherwise in one above.
    public final func go(to page: ShopPage) async throws {
        try await receive(page)
    }

    /// Shows a page that this coordinator has.
    ///
    /// - Returns: false for another page, which the coordinators above then show.
    open func show(_ page: ShopPage) async throws -> Bool { false }

    /// Called when an order was placed, after the screens of its payment have been removed. Shows the confirmation.
    open func didBuy(_ order: Order) {
        if let screen = confirmation(of: order) { display(screen) } else { notify(Notice(placed: order)) }
    }

    // MARK: Messages

    open override func registerHandlers() {
        super.registerHandlers()
        handle(ShopPage.self) { guard try await $0.show($1) else { throw NotHandled() } }
        handle(Refresh.self) { try await $0.refresh($1) }
        handle(BuyNow.self) { try await $0.buyNow($1) }
        handle(OrderPlaced.self) { try await $0.orderPlaced($1) }
        handle(ShowOrderStatus.self) { try await $0.showOrderStatus($1) }
    }

    open func refresh(_ message: Refresh) async throws {
        if let screen = lastScreen((any ShopScreen).self) { try await load(screen) }
    }

    /// Passes the purchase on to the root, whose overrides receive the purchases of all screens. The root starts the
    /// payment, below the coordinator that shows the sender.
    open func buyNow(_ message: BuyNow) async throws {
        do {
            try await send(message)
        } catch let error as UnhandledMessage where error.message == BuyNow.self {
            let line = OrderDraft.Line(sku: message.sku, quantity: message.quantity)
            try await nearest(above: message.sender).startPayment(of: .items(OrderDraft(lines: [line])))
        }
    }

    open func orderPlaced(_ message: OrderPlaced) async throws {
        stack.update {
            payment?.stop()
            didBuy(message.order)
        }
        guard let account = dependency?.account, account.session?.kind == .customer,
            let address = message.order.shipping?.address
        else { return }
        // After a failure, the customer has to enter the address again.
        untilStopped { try? await account.rememberAddress(address) }
    }

    open func showOrderStatus(_ message: ShowOrderStatus) async throws {
        guard let order = lastScreen((any ConfirmationScreen).self)?.order else { return }
        let screen = try factory.makeStatusScreen()
        screen.order = order
        display(screen)
        watchStatus()
    }
}

extension ScreenStack {
    fileprivate func notify(_ notice: Notice) {
        let shown = ([topScreen].compactMap(\.self) + allScreens.reversed())
            .filter { !($0 is any SignInScreen) && !($0 is any RegisterScreen) }
        shown.lazy.compactMap { $0 as? any ShopScreen }.first?.notices.append(notice)
    }
}
