import Benchmarking
import Foundation
import FoundationJSON
import PouchContract
import PouchEntities
import PouchJSON

/// Measures reading and writing JSON next to `JSONEncoder` and `JSONDecoder` with the same bytes, in CPU time of one
/// thread.
@main
struct JSONBench {
    private static let rounds = 41

    static func main() throws {
        say("JSON, MB/s of CPU time; medians of \(rounds) rounds, in turn")
        sayRow("", 34, ["bytes", "Foundation", "Pouch", "ratio"], 12)
        try compare("50 products", ProductPage(items: Samples.products), CodableProductPage.self)
        try compare("50 orders", Page(items: Samples.orders), CodableOrderPage.self)
        try compare("a request of 3 lines", Samples.purchase, CodablePurchase.self, rules: .request)
    }

    private static func compare<Model: JSONCodable & Equatable, Twin: Codable>(
        _ name: String, _ model: Model, _ twin: Twin.Type, rules: JSONRules = .answer
    ) throws {
        let bytes = try model.json()
        let twin = try FoundationCoder.decode(Twin.self, from: bytes)
        guard try FoundationCoder.encode(twin) == bytes, try Model(json: bytes, rules) == model else {
            throw BenchError("\(name): the coders do not agree")
        }
        try measure("\(name), written", bytes.count) {
            _ = try FoundationCoder.encode(twin)
        } by: {
            _ = try model.json()
        }
        try measure("\(name), read", bytes.count) {
            _ = try FoundationCoder.decode(Twin.self, from: bytes)
        } by: {
            _ = try Model(json: bytes, rules)
        }
    }

    private static func measure(
        _ name: String, _ bytes: Int, _ foundation: () throws -> Void, by own: () throws -> Void
    ) throws {
        // About 2 MB for Foundation, and 20 for what is to be 10 times as fast.
        let repetitions = max(1, 2_000_000 / bytes)
        var rates: [(foundation: Double, own: Double)] = []
        for _ in 0..<rounds {
            rates.append(
                (
                    try rate(bytes, repetitions, foundation),
                    try rate(bytes, repetitions * 10, own)
                ))
        }
        let ratio = rates.map { $0.own / $0.foundation }.median
        sayRow(
            name, 34,
            [
                String(bytes), figure(rates.map(\.foundation).median, 1), figure(rates.map(\.own).median, 0),
                figure(ratio, 1),
            ], 12)
    }

    private static func figure(_ value: Double, _ places: Int) -> String { String(format: "%.\(places)f", value) }

    private static func rate(_ bytes: Int, _ repetitions: Int, _ work: () throws -> Void) rethrows -> Double {
        let start = cpuSeconds
        for _ in 0..<repetitions { try work() }
        return Double(bytes * repetitions) / (cpuSeconds - start) / 1e6
    }

    /// The CPU time of this process.
    private static var cpuSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
