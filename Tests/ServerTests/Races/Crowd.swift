import ServerTesting
import Testing

/// Guests who buy the same products concurrently.
struct Crowd: Sendable {
    static let size = 1000
    /// The number of connections, which the guests share.
    static let connections = 64

    let buyers: [Caller]

    /// - Parameter ports: the ports of the servers. The connections are spread over them.
    static func gather(ports: [Int], _ body: @Sendable (Crowd) async throws -> Void) async throws {
        try await Transport.connections(connections, ports: ports) { transport in
            try await body(Crowd(buyers: parallel(size) { _ in try await transport.guest() }))
        }
    }

    /// Lets all guests buy concurrently.
    ///
    /// - Returns: the number of successful purchases. All others were refused as out of stock.
    func buyAll(_ purchase: Purchase, ofEach units: Int) async throws -> Int {
        _ = try await parallel(buyers.count) { try await purchase.prepare(buyers[$0], units) }
        let answers = try await parallel(buyers.count) { number in
            try await bought(purchase, by: number, units)
        }
        for answer in answers where answer.status != 201 {
            let lines = try #require(try answer.problem(.outOfStock).lines)
            #expect(!lines.isEmpty && lines.allSatisfy { $0.available < purchase.unitsOfSKU })
        }
        return answers.count { $0.status == 201 }
    }

    /// A busy machine may keep one server's process from the ledger of payments for longer than the server waits for an
    /// answer. Nothing is charged then, and the buyer tries again.
    private func bought(_ purchase: Purchase, by number: Int, _ units: Int) async throws -> Answered<Order> {
        let key = Caller.key()
        for _ in 0..<20 {
            let answer = try await patiently { try await purchase.buy(buyers[number], number, units, key: key) }
            guard answer.status == 502 else { return answer }
            try answer.problem(.paymentProviderError)
        }
        throw DeadlinePassed()
    }
}

/// A kind of purchase.
enum Purchase: CaseIterable {
    case oneUnit
    /// Two lines of one order.
    case skuInTwoLines
    case twoUnitsFromCart
    /// Every other buyer names the second SKU first.
    case twoSKUsInEitherOrder

    /// The units that the purchase takes of each SKU.
    var unitsOfSKU: Int {
        switch self {
        case .oneUnit, .twoSKUsInEitherOrder: 1
        case .skuInTwoLines, .twoUnitsFromCart: 2
        }
    }

    /// The two SKUs with `units` in stock.
    static func skus(_ units: Int) -> [String] { ["cap-\(units)", "scarf-\(units)"] }

    /// Prepares the purchase, before the race.
    fileprivate func prepare(_ buyer: Caller, _ units: Int) async throws {
        guard self == .twoUnitsFromCart else { return }
        try await patiently { try await buyer.call(Contract.clearCart) }.good()
        try await patiently { try await buyer.add(Self.skus(units)[0], 2) }.good()
        try await patiently { try await buyer.ship() }.good()
    }

    fileprivate func buy(_ buyer: Caller, _ number: Int, _ units: Int, key: String) async throws -> Answered<Order> {
        let lines = Self.skus(units).map { LineRequest(sku: $0, quantity: 1) }
        return switch self {
        case .oneUnit: try await buyer.buyNow([lines[0]], total: 1490, key: key)
        case .skuInTwoLines: try await buyer.buyNow([lines[0], lines[0]], total: 2490, key: key)
        case .twoUnitsFromCart: try await buyer.checkout(total: 2490, key: key)
        case .twoSKUsInEitherOrder:
            try await buyer.buyNow(number.isMultiple(of: 2) ? lines : lines.reversed(), total: 2490, key: key)
        }
    }
}

/// Retries a request that the server refuses as overloaded or with a key in use, after the requested delay.
///
/// - Parameter send: sends the request, with the same key each time if it has one.
func patiently<Value>(_ send: () async throws -> Answered<Value>) async throws -> Answered<Value> {
    for _ in 0..<240 {
        let answer = try await send()
        guard answer.status == 503 || answer.status == 409, answer.header(HeaderName.shouldRetry) == "true" else {
            return answer
        }
        try answer.problem(answer.status == 503 ? .overloaded : .idempotencyKeyInUse)
        let seconds = try #require(answer.header(HeaderName.retryAfter).flatMap(Int.init))
        try await Task.sleep(for: .seconds(seconds))
    }
    throw DeadlinePassed()
}

/// Retries a request with a key of its own.
func patiently<Value>(_ send: (_ key: String) async throws -> Answered<Value>) async throws -> Answered<Value> {
    let key = Caller.key()
    return try await patiently { try await send(key) }
}
