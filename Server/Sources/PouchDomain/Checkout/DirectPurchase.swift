import PouchEntities

/// What is bought without a cart.
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

    /// The lines in their order; a SKU that stands twice is one line.
    ///
    /// - Throws: `DomainError.invalid`.
    func units() throws(DomainError) -> [StockUnits] {
        guard (1...ModelLimits.lines).contains(lines.count) else {
            throw .invalid([
                InvalidField("lines", .outOfRange, "There must be from 1 to \(ModelLimits.lines) lines.")
            ])
        }
        var order: [String] = []
        var quantities: [String: Int] = [:]
        for (index, line) in lines.enumerated() {
            if quantities[line.sku] == nil { order.append(line.sku) }
            let (sum, overflow) = quantities[line.sku, default: 0].addingReportingOverflow(line.quantity)
            guard line.quantity >= 1, !overflow, ModelLimits.quantity.contains(sum) else {
                throw .invalid([
                    InvalidField(
                        "lines.\(index).quantity", .outOfRange,
                        "The quantity of a SKU must be from 1 to \(ModelLimits.quantity.upperBound).")
                ])
            }
            quantities[line.sku] = sum
        }
        return order.map { StockUnits(sku: $0, quantity: quantities[$0] ?? 0) }
    }
}
