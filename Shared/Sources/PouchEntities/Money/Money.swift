/// An amount in the minor units of its currency: 12900 EUR are 129.00 euros.
///
/// Arithmetic never rounds and never wraps: what does not fit or does not match throws `MoneyError`.
public struct Money: Codable, Sendable, Hashable {
    public let amount: Int64
    public let currency: Currency

    public init(_ amount: Int64, _ currency: Currency) {
        self.amount = amount
        self.currency = currency
    }

    public static func zero(_ currency: Currency) -> Money { Money(0, currency) }

    public func adding(_ other: Money) throws(MoneyError) -> Money {
        try combined(with: other) { $0.addingReportingOverflow($1) }
    }

    public func subtracting(_ other: Money) throws(MoneyError) -> Money {
        try combined(with: other) { $0.subtractingReportingOverflow($1) }
    }

    public func multiplied(by count: Int) throws(MoneyError) -> Money {
        let (product, overflow) = amount.multipliedReportingOverflow(by: Int64(count))
        guard !overflow else { throw .overflow }
        return Money(product, currency)
    }

    private func combined(
        with other: Money, _ operation: (Int64, Int64) -> (partialValue: Int64, overflow: Bool)
    ) throws(MoneyError) -> Money {
        guard currency == other.currency else { throw .currencyMismatch }
        let (result, overflow) = operation(amount, other.amount)
        guard !overflow else { throw .overflow }
        return Money(result, currency)
    }
}

/// Why a sum has no result.
public enum MoneyError: Error, Equatable {
    /// The result does not fit into 64 bits.
    case overflow
    /// Two currencies cannot be added.
    case currencyMismatch
}
