import Benchmarking
import Foundation
import PouchContract
import PouchEntities
import PouchWire

/// Checkouts over HTTP beside the raw ones.
struct CheckoutLoads {
    let running: RunningShop
    let raw: any RawCheckouts
    let statements: CheckoutStatements

    private static let seconds = 2

    func show(_ loads: [(goods: BenchShop.Goods, shoppers: Shoppers)]) async throws {
        var rates = loads.map { _ in (http: [Double](), raw: [Double]()) }
        for round in 0..<CheckoutBench.rounds {
            for (index, load) in loads.enumerated() {
                let first = load.shoppers.numbers.lowerBound + round * BenchShop.shoppersPerRound
                let shoppers = first..<first + BenchShop.shoppersPerRound
                rates[index].http.append(try await http(shoppers))
                rates[index].raw.append(
                    try await raw.run(statements, by: shoppers, isHot: load.goods == .hot))
            }
        }
        try await check()
        say("Checkouts per second, the payment included; medians of \(CheckoutBench.rounds) rounds in turn")
        say("Raw: the same transactions \(raw.name)\n")
        say("".padded(20) + ["HTTP", "raw", "ratio", "(each round)"].map { $0.leftPadded(10) }.joined())
        for (load, rates) in zip(loads, rates) {
            let ratios = zip(rates.http, rates.raw).map { $0 / $1 }
            let figures = ["\(Int(rates.http.median))", "\(Int(rates.raw.median))", Self.text(ratios.median)]
            say(
                load.goods.rawValue.padded(20) + figures.map { $0.leftPadded(10) }.joined()
                    + "  (" + ratios.map(Self.text).joined(separator: ", ") + ")")
        }
        say("\nAim: a ratio of at least \(Self.text(raw.aim))\n")
    }

    private static func text(_ ratio: Double) -> String { String(format: "%.2f", ratio) }

    /// What was compared must have been the same work.
    private func check() async throws {
        let books = try await raw.books()
        guard let count = books.first, count > 0, books.allSatisfy({ $0 == count }) else {
            throw BenchError("the raw transactions are no checkouts: \(books)")
        }
    }

    private func http(_ shoppers: Range<Int>) async throws -> Double {
        let body = CheckoutRequest(
            paymentMethod: .card(token: "tok_ok"), expectedTotal: try await running.total(of: shoppers.lowerBound),
            email: "ada@example.com")
        var requests: [String] = []
        for number in shoppers {
            requests.append(
                try await running.request(
                    "POST", "/v1/cart/checkout", by: number, body,
                    headers: [HeaderName.idempotencyKey: "key-\(number)"]))
        }
        return try await Wrk.run(
            requests, to: running.url, seconds: Self.seconds, repeats: false, in: running.folder
        ).perSecond
    }
}
