import PouchClient
import PouchScreens

/// What became of a purchase that an earlier process left without a clear outcome.
enum PurchaseOutcome: Equatable {
    case bought(Order)
    case refused(DataError)
    /// It is too late to find out here.
    case unknown
    /// Not known yet; may be tried again.
    case open
}

extension CheckoutManager {
    /// Brings to an end what was being bought when the app was last closed, and tells how it came out; what is still not
    /// known waits for the shop to be reached.
    func settlePurchases(
        over connection: ConnectionManager, tell: @MainActor @Sendable (Notice) -> Void
    ) async {
        var open: Set<String>?
        // At first also where the shop is known to be away: the buyer is told at once.
        for await state in connection.connections() where state == .online || open == nil {
            // One that was settled meanwhile, as by its buyer, is not tried again.
            let purchases = (try? await unresolved().filter { open?.contains($0.id) ?? true }) ?? []
            let isFirstTry = open == nil
            open = []
            for purchase in purchases {
                let outcome = await settle(purchase)
                // Whoever is here now is not told of somebody else's.
                guard !Task.isCancelled else { return }
                if outcome == .open { open?.insert(purchase.id) }
                if outcome != .open || isFirstTry { await tell(Notice(purchase, outcome)) }
            }
            if open?.isEmpty != false { return }
        }
    }

    /// Tries one once more, as its buyer had asked for, under the same key: it is paid at most once.
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

extension Notice {
    init(_ purchase: UnresolvedPurchase, _ outcome: PurchaseOutcome) {
        let total = purchase.total.map { " of \($0.decimal) \($0.currency.code)" } ?? ""
        let told =
            switch outcome {
            case .bought(let order): "was made: it is order \(order.number)."
            case .refused(let error): "was not made, and nothing was charged. \(error.errorDescription ?? "")"
            case .unknown: "may have been made: look at your orders before you buy it again."
            case .open: "may have been made. The shop is asked as soon as it can be reached."
            }
        self.init("Your last purchase\(total) \(told)")
    }
}
