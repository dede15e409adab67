import PouchData
import PouchEntities

/// The outcome of a purchase whose outcome was unknown.
public struct PurchaseSettlement: Sendable, Equatable {
    public enum Outcome: Sendable, Equatable {
        case bought(Order)
        /// The purchase failed, and nothing was charged.
        case refused(DataError)
        /// It is too late to find out. If the purchase went through, `OrderManager.orders` contains its order.
        case unknown
        /// The outcome is not known yet. The shop will be asked again.
        case open
    }

    public let purchase: UnresolvedPurchase
    public let outcome: Outcome

    public init(purchase: UnresolvedPurchase, outcome: Outcome) {
        self.purchase = purchase
        self.outcome = outcome
    }
}

extension CheckoutManager {
    /// Settles the session's purchases that an earlier process left with an unknown outcome. Repeats each with the same
    /// key, so that it is paid at most once: now, whenever the shop can be reached again, and at intervals while it
    /// can.
    ///
    ///     for await settlement in pouch.checkout.settlements(over: pouch.connection) { show(settlement) }
    ///
    /// The stream reports the outcome of each purchase once. One that is still open after the first attempt is first
    /// reported as `.open`. The stream finishes when no purchase is open. Only one stream settles at a time; another
    /// one waits until the first has finished or is no longer read. A later session needs another stream.
    public func settlements(
        over connection: ConnectionManager, every interval: Duration = .seconds(30)
    ) -> AsyncStream<PurchaseSettlement> {
        .running { [self] settlements in
            await turns.take("settlement") { _ in
                let (attempts, attempt) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
                // The first attempt is made even while offline, so that the buyer is notified at once.
                attempt.yield()
                let isOnline = connection.connection == .online
                let triggers = Task { [clock] in
                    async let returns: Void = {
                        var wasOnline = isOnline
                        for await state in connection.connections() {
                            if state == .online, !wasOnline { attempt.yield() }
                            wasOnline = state == .online
                        }
                    }()
                    while (try? await clock.sleep(for: interval)) != nil {
                        if connection.connection == .online { attempt.yield() }
                    }
                    await returns
                }
                await settle(at: attempts) { settlements.yield(PurchaseSettlement(purchase: $0, outcome: $1)) }
                triggers.cancel()
            }
        }
    }

    private func settle(
        at attempts: AsyncStream<Void>, _ report: (UnresolvedPurchase, PurchaseSettlement.Outcome) -> Void
    ) async {
        var open: Set<String>?
        for await _ in attempts {
            let purchases: [UnresolvedPurchase]
            do throws(DataError) {
                // A purchase that has been settled since, for example by its buyer, is not repeated.
                purchases = try await unresolved().filter { open?.contains($0.id) ?? true }
            } catch {
                guard error.reason != .notSignedIn else { return }
                // The store cannot be read at the moment.
                continue
            }
            let isFirstAttempt = open == nil
            open = []
            for purchase in purchases {
                let outcome = await settle(purchase)
                // The session may have ended: its purchases do not belong to the next one.
                guard !Task.isCancelled else { return }
                if outcome == .open { open?.insert(purchase.id) }
                if outcome != .open || isFirstAttempt { report(purchase, outcome) }
            }
            if open?.isEmpty != false { return }
        }
    }

    private func settle(_ purchase: UnresolvedPurchase) async -> PurchaseSettlement.Outcome {
        guard purchase.canResume else { return .unknown }
        do throws(DataError) {
            return .bought(try await resume(purchase))
        } catch {
            if error.openPurchase != nil { return .open }
            return error.reason == .outcomeUnknown ? .unknown : .refused(error)
        }
    }
}
