import PouchContract
import PouchEntities
import PouchWire
import Testing

/// Guests who want the same at the same time.
struct Crowd: Sendable {
    static let size = 1000
    /// Of these each has several requests under way.
    static let connections = 64

    let buyers: [Caller]

    /// - Parameter ports: of the servers that the guests are spread over.
    static func gather(ports: [Int], _ body: @Sendable (Crowd) async throws -> Void) async throws {
        try await Transport.connections(connections, ports: ports) { transport in
            let site = Site(transport: transport)
            try await body(Crowd(buyers: parallel(size) { _ in try await site.guest() }))
        }
    }

    /// All of them buy at once.
    ///
    /// - Returns: how many got something; the others were told that it is sold out.
    func buy(_ purchase: Purchase, ofEach units: Int) async throws -> Int {
        _ = try await parallel(buyers.count) { try await purchase.choose(buyers[$0], units) }
        let answers = try await parallel(buyers.count) { number in
            let key = Caller.key()
            return try await patiently { try await purchase.buy(buyers[number], number, units, key: key) }
        }
        for answer in answers where answer.status != 201 {
            let lines = try #require(try answer.problem(.outOfStock).lines)
            #expect(!lines.isEmpty && lines.allSatisfy { $0.available < purchase.unitsOfSKU })
        }
        return answers.count { $0.status == 201 }
    }

    private struct Site: Addressable {
        let transport: Transport
    }
}

/// A way to want what there is too little of.
enum Purchase: CaseIterable {
    case oneUnit
    /// Two lines of one order.
    case skuInTwoLines
    case twoUnitsFromCart
    /// Every other buyer names the second SKU first.
    case twoSKUsInEitherOrder

    /// So many units of each SKU it takes.
    var unitsOfSKU: Int {
        switch self {
        case .oneUnit, .twoSKUsInEitherOrder: 1
        case .skuInTwoLines, .twoUnitsFromCart: 2
        }
    }

    /// The SKUs of which there are so many units.
    static func skus(_ units: Int) -> [String] { ["cap-\(units)", "scarf-\(units)"] }

    /// What comes before the purchase, without a race.
    fileprivate func choose(_ buyer: Caller, _ units: Int) async throws {
        guard self == .twoUnitsFromCart else { return }
        try await patiently { try await buyer.call(Contract.clearCart) }.good()
        try await patiently { try await buyer.add(Self.skus(units)[0], 2) }.good()
        try await patiently { try await buyer.ship() }.good()
    }

    fileprivate func buy(
        _ buyer: Caller, _ number: Int, _ units: Int, key: String
    ) async throws -> Answered<Order> {
        let lines = Self.skus(units).map { LineRequest(sku: $0, quantity: 1) }
        switch self {
        case .oneUnit: return try await buyer.buyNow([lines[0]], total: 1490, key: key)
        case .skuInTwoLines: return try await buyer.buyNow([lines[0], lines[0]], total: 2490, key: key)
        case .twoUnitsFromCart: return try await buyer.checkout(total: 2490, key: key)
        case .twoSKUsInEitherOrder:
            return try await buyer.buyNow(number.isMultiple(of: 2) ? lines : lines.reversed(), total: 2490, key: key)
        }
    }
}
