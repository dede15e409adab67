import PouchClient
import PouchCoordination
import PouchScreens

/// Starts a payment below a coordinator, on its stack. The root handles it for all coordinators, because it has the
/// app's sections. An override receives every purchase before its payment, with or without the cart:
///
///     override func startPayment(_ message: StartPayment) async throws {
///         try await checkOpeningHours()
///         try await super.startPayment(message)
///     }
public struct StartPayment: Message {
    public let subject: PaymentCoordinator.Subject
    public let coordinator: ShopCoordinator

    public init(of subject: PaymentCoordinator.Subject, below coordinator: ShopCoordinator) {
        self.subject = subject
        self.coordinator = coordinator
    }
}

// MARK: Payments below a coordinator

extension ShopCoordinator {
    /// Starts a payment below this coordinator. It replaces an earlier one.
    ///
    /// - Throws: `.notOffered` if the app lacks the screens for it.
    public final func startPayment(of subject: PaymentCoordinator.Subject) async throws {
        do {
            try await receive(StartPayment(of: subject, below: self))
        } catch let error as UnhandledMessage where error.message == StartPayment.self {
            // An app's own root has no sections.
            try start(payment: ShopSections().payment(subject, stack, factory))
        }
    }

    /// Starts the coordinator of a payment below this one, and stops that of an earlier payment.
    ///
    /// - Throws: `.notOffered` if it shows no screen.
    public final func start(payment: NavigationCoordinator<AppDependency>) throws(ScreenFailure) {
        stack.update {
            self.payment?.stop()
            start(payment)
            self.payment = payment
        }
        guard !payment.screens.isEmpty else {
            payment.stop()
            throw .notOffered
        }
    }

    /// The shop coordinator nearest above a responder.
    final func nearest(above responder: any Responder) -> ShopCoordinator {
        sequence(first: responder) { $0.coordinatingResponder }.lazy.compactMap { $0 as? ShopCoordinator }.first ?? self
    }

    /// Goes back to the payment that is running below this coordinator.
    ///
    /// - Returns: whether there is one.
    final func returnToPayment() -> Bool {
        guard let payment, payment.isStarted else { return false }
        payment.popToOwn()
        return true
    }
}

// MARK: - The order after its payment

extension ShopCoordinator {
    /// The screen that confirms an order; nil if the app has none.
    final func confirmation(of order: Order) -> (any ConfirmationScreen)? {
        let screen = try? factory.makeConfirmationScreen()
        screen?.order = LoadState(order)
        return screen
    }

    /// Shows the confirmation instead of all other screens.
    final func showOnlyConfirmation(of order: Order) {
        guard let screen = confirmation(of: order) else {
            notify(Notice(placed: order))
            return finish()
        }
        showOnly(screen)
    }

    func load(_ screen: any StatusScreen) async throws(MissingDependency) {
        let orders = try needed(\.orders)
        guard let order = screen.order.value else { return }
        await fill(\(any StatusScreen).order, of: screen) { () throws(DataError) in
            try await orders.order(id: order.id)
        }
        showStatus(of: screen)
    }

    /// Shows the order on the confirmation below its status, too.
    private func showStatus(of screen: any StatusScreen) {
        guard let confirmation = lastScreen((any ConfirmationScreen).self), let known = screen.order.value,
            confirmation.order.value?.id == known.id
        else { return }
        confirmation.order.value = known
    }

    /// Follows an order while its payment is being settled and its screen is frontmost.
    func watchStatus() {
        guard let screen = pendingStatus, screen !== followed, isActive, let order = screen.order.value,
            let dependency, let orders = dependency.orders
        else { return }
        followed = screen
        let states = orders.follow(
            order.id, known: order, every: dependency.statusInterval, clock: dependency.clock)
        whileActive { [weak self, weak screen] in
            for await state in states {
                guard let self, let screen, followed === screen else { return }
                put(LoadState(state), into: \(any StatusScreen).order, of: screen)
                mark(screen, isOutdated: screen.order.isOutdated)
                showStatus(of: screen)
                guard pendingStatus === screen else { return followed = nil }
            }
        }
    }

    /// The top screen, if it shows an order whose payment is being settled.
    private var pendingStatus: (any StatusScreen)? {
        guard let screen = screens.last as? any StatusScreen, screen.order.value?.status == .pending else { return nil }
        return screen
    }
}
