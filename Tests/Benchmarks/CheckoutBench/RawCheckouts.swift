/// The transactions of checkouts without a server.
protocol RawCheckouts: Sendable {
    var name: String { get }

    /// Makes them durable one by one, each in three commits: prepare, charge, finalize.
    ///
    /// - Parameters:
    ///   - shoppers: whose carts are bought.
    ///   - isHot: whether all carts have the same SKU.
    /// - Returns: checkouts per second.
    func run(_ statements: CheckoutStatements, by shoppers: Range<Int>, isHot: Bool) async throws -> Double
}
