import Foundation
import PouchContract
import PouchEntities
import PouchWire

/// Checkouts over HTTP beside the raw ones.
struct CheckoutLoads {
    let running: RunningShop
    let raw: any RawCheckouts
    let statements: CheckoutStatements

    private static let seconds = 4

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
        print("Checkouts per second, medians of \(CheckoutBench.rounds) rounds in turn; raw: \(raw.name)\n")
        for (load, rates) in zip(loads, rates) {
            let (http, raw) = (rates.http.median, rates.raw.median)
            print(
                "\(load.goods.rawValue.padded(16)) HTTP \(Int(http)), raw \(Int(raw)), ratio "
                    + String(format: "%.2f", http / raw))
        }
        print("")
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
