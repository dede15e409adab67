import PouchDomain
import PouchEntities
import SeededRandom
import Testing

@Suite("Strategies of merging carts")
struct CartMergeStrategyTests {
    /// The account's units by SKU after a merge.
    private func merged(_ own: [String: Int], _ merge: CartMerge) -> [String: Int] {
        var result = own
        for (line, quantity) in merge.lines { result[line.offer.sku] = quantity }
        for sku in merge.removed { result[sku] = nil }
        return result
    }

    @Test(
        arguments: [
            (CartMerge.Strategy.sum, 5), (.max, 3), (.guestWins, 2), (.accountWins, 3),
        ] as [(CartMerge.Strategy, Int)])
    func `Of a line that both have, the strategy decides; a line that one has is kept`(
        strategy: CartMerge.Strategy, both: Int
    ) throws {
        let own = ["both": 3, "account": 4]
        let guest = [try PricedLine.sample("both", quantity: 2), try PricedLine.sample("guest", quantity: 6)]
        let merge = CartMerge(own: own, guest: guest, strategy: strategy)
        #expect(merged(own, merge) == ["both": both, "account": 4, "guest": 6])
        let told = Set(merge.changes.map(\.sku))
        #expect(told == (both == 3 ? ["guest"] : ["both", "guest"]))
    }

    @Test(arguments: CartMerge.Strategy.allCases)
    func `A merge keeps to stock and limits, tells every change, and a second one changes nothing more`(
        strategy: CartMerge.Strategy
    ) throws {
        var random = SplitMix64(seed: 7)
        for _ in 0..<1_000 {
            // Some carts are nearly full, so that there is not always room.
            let others = Int.random(in: 0..<10, using: &random) == 0 ? ModelLimits.lines - 6 : 0
            var own: [String: Int] = [:]
            for index in 0..<others { own["other-\(index)"] = 1 }
            var guest: [PricedLine] = []
            for index in 0..<12 {
                let sku = "sku-\(index)"
                let available = [0, 1, 5, 5_000].randomElement(using: &random) ?? 0
                if Bool.random(using: &random), own.count < ModelLimits.lines {
                    own[sku] = Int.random(in: 1...999, using: &random)
                }
                if Bool.random(using: &random) {
                    guest.append(
                        try .sample(sku, quantity: Int.random(in: 1...999, using: &random), available: available))
                }
            }
            let merge = CartMerge(own: own, guest: guest, strategy: strategy)
            let result = merged(own, merge)
            #expect(result.count <= ModelLimits.lines)
            let guests = Dictionary(uniqueKeysWithValues: guest.map { ($0.offer.sku, $0) })
            let told = Set(merge.changes.map(\.sku))
            #expect(told.count == merge.changes.count)
            for sku in Set(own.keys).union(guests.keys) {
                if result[sku] != own[sku] { #expect(told.contains(sku)) }
                guard let line = guests[sku] else {
                    #expect(result[sku] == own[sku] && !told.contains(sku))
                    continue
                }
                #expect(result[sku] ?? 0 <= min(999, line.offer.available))
            }
            #expect(merged(result, CartMerge(own: result, guest: [], strategy: strategy)) == result)
            if strategy != .sum {
                // The guest's cart is gone after a merge; even if it were not, these would come to the same.
                #expect(merged(result, CartMerge(own: result, guest: guest, strategy: strategy)) == result)
            }
        }
    }
}
