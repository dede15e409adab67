import PouchClient
import PouchScreens

extension CheckoutManager {
    /// Settles the purchases that an earlier process left without a clear outcome, and notifies the visitor. Those that
    /// stay unclear wait until the shop can be reached.
    func settlePurchases(
        over connection: ConnectionManager, notify: @MainActor @Sendable (Notice) -> Void
    ) async {
        var open: Set<String>?
        // The first attempt is made even while offline, so that the buyer is notified at once.
        for await state in connection.connections() where state == .online || open == nil {
            // A purchase that was settled since, as by its buyer, is not repeated.
            let purchases = (try? await unresolved().filter { open?.contains($0.id) ?? true }) ?? []
            let isFirstAttempt = open == nil
            open = []
            for purchase in purchases {
                let outcome = await settle(purchase)
                // The session may have ended: its notices are not for the next one.
                guard !Task.isCancelled else { return }
                if outcome == .open { open?.insert(purchase.id) }
                if outcome != .open || isFirstAttempt { await notify(Notice(purchase, outcome)) }
            }
            if open?.isEmpty != false { return }
        }
    }

    /// Repeats the purchase under the same key: it is paid at most once.
    private func settle(_ purchase: UnresolvedPurchase) async -> PurchaseOutcome {
        guard purchase.canResume else { return .unknown }
        do throws(DataError) {
            return .bought(try await resume(purchase))
        } catch {
            if error.openPurchase != nil { return .open }
            return error.reason == .outcomeUnknown ? .unknown : .refused(error)
        }
    }
}

/// The outcome of a purchase that an earlier process left open.
private enum PurchaseOutcome: Equatable {
    case bought(Order)
    case refused(DataError)
    /// It is too late to find out.
    case unknown
    /// Still unclear; may be repeated.
    case open
}

extension Notice {
    fileprivate init(_ purchase: UnresolvedPurchase, _ outcome: PurchaseOutcome) {
        let total = purchase.total.map { " of \($0.text)" } ?? ""
        let text =
            switch outcome {
            case .bought(let order): "was made: it is order \(order.number)."
            case .refused(let error): "was not made, and nothing was charged. \(error.errorDescription ?? "")"
            case .unknown: "may have been made: look at your orders before you buy it again."
            case .open: "may have been made. The shop is asked as soon as it can be reached."
            }
        self.init("Your last purchase\(total) \(text)")
    }
}
