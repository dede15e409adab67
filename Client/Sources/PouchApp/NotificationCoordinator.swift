import PouchClient
import PouchCoordination
import PouchScreens

/// Shows notices of the progress of orders that kangaroos deliver, on the frontmost screen.
///
/// Each coordinator belongs to one session, with which it starts and stops. It has no screen of its own.
open class NotificationCoordinator: ShopCoordinator {
    private let kind: SessionKind
    private let isNew: Bool

    /// - Parameters:
    ///   - kind: the kind of the session. A guest cannot follow rides.
    ///   - isNew: whether the session is new, and so has no earlier orders.
    ///   - stack: the screens that show the notices.
    ///   - factory: required by the base class; this coordinator creates no screens.
    public init(for kind: SessionKind, isNew: Bool, on stack: ScreenStack, screens factory: any ScreenFactory) {
        self.kind = kind
        self.isNew = isNew
        super.init(on: stack, screens: factory)
    }

    open override func managersDidChange() {
        guard let dependency, let pouch = dependency.pouch else { return }
        let progress = pouch.orders.watchDeliveries(
            bought: pouch.checkout.purchases(), rides: kind == .guest ? nil : pouch.rides, over: pouch.connection,
            includesEarlier: !isNew, every: dependency.statusInterval, clock: dependency.clock)
        untilDependencyChanges { [weak self] in
            for await step in progress {
                if let notice = Notice(step) { self?.notify(notice) }
            }
        }
    }
}

extension Notice {
    init(_ push: PushMessage) {
        self.init(push.text ?? "There is news from the shop.", page: push.page)
    }

    /// Leads to the order; nil for a ride without a known driver.
    fileprivate init?(_ progress: DeliveryProgress) {
        let number = progress.order.number
        switch progress.step {
        case .accepted(let ride):
            guard let driver = ride.driver else { return nil }
            self.init("\(driver.name) is picking up your order \(number).")
        case .pickedUp(nil): self.init("A kangaroo has picked up your order \(number) and is on its way.")
        case .pickedUp(let ride?):
            guard let driver = ride.driver else { return nil }
            let eta = ride.etaMinutes.map { ": \($0) min" } ?? ""
            self.init("\(driver.name) has picked up your order \(number) and is on the way\(eta).")
        case .delivered: self.init("Order \(number) was delivered.")
        case .failed:
            self.init(
                "No kangaroo was available for order \(number). Choose another delivery method on the order's page.")
        }
        page = .order(id: progress.order.id)
    }
}
