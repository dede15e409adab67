import PouchClient
import PouchCoordination
import PouchScreens

/// Tells whoever is signed in what happens meanwhile, over whatever screen is shown: what becomes of the orders that
/// kangaroos bring.
///
/// It is there for one visitor: it starts when they come, and stops when they go. It has no screen of its own.
@MainActor
public final class NotificationCoordinator: ShopCoordinator {
    private let kind: SessionKind
    private let isNew: Bool
    /// The orders that are watched.
    private var watched: Set<Order.ID> = []

    /// - Parameters:
    ///   - kind: of the visitor's session; a guest cannot see rides.
    ///   - isNew: whether the visitor has just begun, and so has no orders from before.
    ///   - stack: on whose screens it is told.
    ///   - factory: makes nothing here; each coordinator hands it on.
    public init(
        for kind: SessionKind, isNew: Bool, on stack: NavigationStack, screens factory: any ScreenFactory
    ) {
        self.kind = kind
        self.isNew = isNew
        super.init(on: stack, screens: factory)
    }

    override func managersDidChange() {
        watched = []
        guard let dependency, let checkout = dependency.checkout, let orders = dependency.orders,
            let rides = dependency.rides
        else { return }
        let watch = OrderWatch(
            orders: orders, rides: kind == .guest ? nil : rides, clock: dependency.clock,
            interval: dependency.statusInterval)
        for news in [checkout.purchases(), orders.changes()] {
            untilDependencyChanges { [weak self] in
                for await order in news { self?.follow(order, isNew: true, by: watch) }
            }
        }
        guard !isNew, let connection = dependency.connection else { return }
        untilDependencyChanges { [weak self] in
            // At first also where the shop is known to be away: asked for, it may be back.
            var isFirst = true
            for await state in connection.connections() where state == .online || isFirst {
                isFirst = false
                repeat {
                    do throws(DataError) {
                        for order in try await orders.orders().items { self?.follow(order, isNew: false, by: watch) }
                        return
                    } catch {
                        guard ScreenFailure(error).remedy == .retry else { return }
                    }
                    // A shop that answers, but not with the orders, is asked again; one that is away says when it is back.
                    guard connection.connection == .online else { break }
                } while (try? await watch.clock.sleep(for: watch.interval)) != nil
            }
        }
    }

    private func follow(_ order: Order, isNew: Bool, by watch: OrderWatch) {
        guard order.isUnderWay, watched.insert(order.id).inserted else { return }
        untilDependencyChanges { [weak self] in
            await watch.run(on: order, isNew: isNew) { self?.tell($0) }
            self?.watched.remove(order.id)
        }
    }
}
