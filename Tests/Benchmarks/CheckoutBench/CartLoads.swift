import Benchmarking
import Foundation
import PouchContract
import PouchWire

/// Changes of one line in small and in large carts.
struct CartLoads {
    let running: RunningShop

    private static let seconds = 4

    func show(small: Shoppers, large: Shoppers) async throws {
        say("Cart writes: a line set to another quantity\n")
        say(
            "".padded(26) + ["writes/s", "p50 ms", "p99 ms", "bytes", "µs each"].map { $0.leftPadded(10) }.joined())
        var results: [[Wrk.Result]] = []
        for isMinimal in [true, false] {
            results.append([])
            for (shoppers, lines) in [(small, 1), (large, 500)] {
                let result = try await load(shoppers, lines: lines, isMinimal: isMinimal)
                results[results.count - 1].append(result)
                let figures = [
                    "\(Int(result.perSecond))", String(format: "%.1f", result.median),
                    String(format: "%.1f", result.p99), "\(Int(result.bytesPerAnswer))",
                    String(format: "%.0f", 1e6 / result.perSecond),
                ]
                say(
                    "\(shoppers.name), \(isMinimal ? "minimal" : "full")".padded(26)
                        + figures.map { $0.leftPadded(10) }.joined())
            }
        }
        let (minimal, full) = (results[0], results[1])
        say(
            String(
                format: "\nminimal, 500 lines against 1: %.2f times (aim: at most 2)",
                minimal[0].perSecond / minimal[1].perSecond))
        say(
            String(
                format: "full: %.0f ns for each further byte of the answer",
                1e9 * (1 / full[1].perSecond - 1 / full[0].perSecond)
                    / (full[1].bytesPerAnswer - full[0].bytesPerAnswer)))
    }

    private func load(_ shoppers: Shoppers, lines: Int, isMinimal: Bool) async throws -> Wrk.Result {
        var requests: [String] = []
        for quantity in [2, 3] {
            for number in shoppers.numbers {
                let sku = (number * 500 + 1) % BenchShop.skus
                requests.append(
                    try await running.request(
                        "PUT", "/v1/cart/lines/sku-\(sku)", by: number, QuantityRequest(quantity: quantity),
                        headers: isMinimal ? [HeaderName.prefer: "return=minimal"] : [:]))
            }
        }
        return try await Wrk.run(
            requests, to: running.url, seconds: Self.seconds, repeats: true, in: running.folder)
    }
}
