import PouchEntities

/// Lines bought without a cart.
public struct DirectPurchase: Sendable {
    public let lines: [(sku: String, quantity: Int)]
    public let methodId: String?
    public let address: Address?
    public let discount: String?

    public init(lines: [(sku: String, quantity: Int)], methodId: String?, address: Address?, discount: String?) {
        self.lines = lines
        self.methodId = methodId
        self.address = address
        self.discount = discount
    }

    /// The lines in order, with repeated SKUs added up; `DomainError.invalid` for a quantity out of range.
    func units() throws(DomainError) -> [StockUnits] {
        guard (1...ModelLimits.lines).contains(lines.count) else {
            throw .invalid("lines", .outOfRange, "Send from 1 to \(ModelLimits.lines) lines.")
        }
        var order: [String] = []
        var quantities: [String: Int] = [:]
        for (index, line) in lines.enumerated() {
            if quantities[line.sku] == nil { order.append(line.sku) }
            let (sum, overflow) = quantities[line.sku, default: 0].addingReportingOverflow(line.quantity)
            guard line.quantity >= 1, !overflow, ModelLimits.quantity.contains(sum) else {
                throw .invalid(
                    "lines.\(index).quantity", .outOfRange,
                    "The quantity of a SKU must be from 1 to \(ModelLimits.quantity.upperBound).")
            }
            quantities[line.sku] = sum
        }
        return order.map { StockUnits(sku: $0, quantity: quantities[$0] ?? 0) }
    }
}

/// The payment method of an order, with the total that the buyer expects.
public struct PaymentTerms: Sendable {
    public let method: PaymentMethod
    public let expectedTotal: Money
    public let email: String?
    /// nil for a payment whose declines are not limited.
    public let origin: PaymentOrigin?

    public init(method: PaymentMethod, expectedTotal: Money, email: String?, origin: PaymentOrigin? = nil) {
        self.method = method
        self.expectedTotal = expectedTotal
        self.email = email
        self.origin = origin
    }
}

extension CheckoutService {
    /// The total of a purchase, without placing the order.
    ///
    /// - Throws: `DomainError.invalid`, `.unknownSKU`, `.notForSale`, `.unknownShippingMethod`, `.locationRequired`,
    ///   `.discountInvalid`, `.discountExpired`, `.discountExhausted`.
    public func preview(
        _ purchase: DirectPurchase, for principal: Principal, in repositories: any Repositories
    ) throws -> OrderPreview {
        let units = try purchase.units()
        let address = try purchase.address.map { try rules.checked($0, prefix: "address.") }
        let now = environment.time.now
        let (lines, descriptions) = try repositories.offers(of: units, at: now)
        let discount = try purchase.discount.map {
            try repositories.discount(code: $0, ownerId: principal.ownerId, at: now)
        }
        let priced = try pricing.price(
            lines, discount: discount, methodId: purchase.methodId, address: address)
        return OrderPreview(
            lines: priced.cartLines(descriptions),
            methods: try pricing.shippingMethods(
                for: lines, discount: discount, country: address?.country, region: address?.region,
                postalCode: address?.postalCode, location: address?.location),
            totals: priced.totals
        )
    }
}
