import PouchEntities

/// The result of merging a guest's lines into an account's. Lines that only one of them has are kept.
public struct CartMerge {
    /// The quantity of a line that both carts have.
    public enum Strategy: String, Sendable, CaseIterable, Encodable {
        /// Both quantities added.
        case sum
        /// The larger quantity.
        case max
        /// The guest's quantity.
        case guestWins
        /// The account's quantity.
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

    /// The guest's lines with their quantities in the merged cart; never above the stock or the maximum quantity of a
    /// line.
    public private(set) var lines: [(line: PricedLine, quantity: Int)] = []
    /// SKUs that are removed from the account's cart because they are sold out.
    public private(set) var removed: [String] = []
    /// Every line whose quantity changed or is lower than requested.
    public private(set) var changes: [CartChange] = []

    /// - Parameters:
    ///   - own: the account's quantities by SKU.
    ///   - guest: the guest's lines, each SKU once. Lines beyond the maximum number of lines are omitted, last first.
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
