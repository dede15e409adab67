import PouchEntities

/// What comes out when a guest's lines are joined with an account's. Lines that only one of the two has are kept.
public struct CartMerge {
    /// What becomes of a line that both have.
    public enum Strategy: String, Sendable, CaseIterable {
        /// The units of both together.
        case sum
        /// As many units as the greater of the two.
        case max
        /// The guest's units.
        case guestWins
        /// The account's units.
        case accountWins

        func quantity(account: Int, guest: Int) -> Int {
            switch self {
            case .sum: account + guest
            case .max: Swift.max(account, guest)
            case .guestWins: guest
            case .accountWins: account
            }
        }
    }

    /// Lines of the guest with the units that the account's cart has of them afterwards; never more than the stock, or than
    /// a line may have.
    public private(set) var lines: [(line: PricedLine, quantity: Int)] = []
    /// SKUs that the account's cart has no longer, since nothing of them is left in stock.
    public private(set) var removed: [String] = []
    /// What is not as it was, or not as it was wanted.
    public private(set) var changes: [CartChange] = []

    /// - Parameters:
    ///   - own: the account's units by SKU.
    ///   - guest: each SKU once. What finds no room in the account's cart any more is left out, the last first.
    public init(own: [String: Int], guest: [PricedLine], strategy: Strategy = .sum) {
        let soldOut = guest.count { own[$0.offer.sku] != nil && $0.offer.available <= 0 }
        var room = ModelLimits.lines - own.count + soldOut
        for line in guest {
            let sku = line.offer.sku
            let before = own[sku] ?? 0
            let wanted = before == 0 ? line.quantity : strategy.quantity(account: before, guest: line.quantity)
            var quantity = min(wanted, ModelLimits.quantity.upperBound, Swift.max(0, line.offer.available))
            if before == 0, quantity > 0 {
                if room > 0 { room -= 1 } else { quantity = 0 }
            }
            if quantity == 0 {
                changes.append(.quantity(sku: sku, .removed, from: wanted, to: 0))
                if before > 0 { removed.append(sku) }
                continue
            }
            lines.append((line, quantity))
            if quantity < wanted {
                changes.append(.quantity(sku: sku, .quantityReduced, from: wanted, to: quantity))
            } else if quantity != before {
                changes.append(.quantity(sku: sku, .merged, from: before, to: quantity))
            }
        }
    }
}
