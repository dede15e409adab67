import PouchEntities
import SeededRandom
import Testing

@Suite("Money split and multiplied")
struct MoneyAllocationTests {
    private static let extremes: [Int64] = [.min, .min + 1, -1, 0, 1, .max - 1, .max]

    private static func number(_ random: inout SplitMix64) -> Int64 {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: extremes.randomElement(using: &random) ?? 0
        case 1: Int64.random(in: .min ... .max, using: &random)
        case 2: 0
        default: Int64.random(in: -1_000...1_000, using: &random)
        }
    }

    /// Gives the units that rounding left over one after the other to whoever lost most.
    private static func reference(_ amount: Int64, _ weights: [Int64]) -> [Int64] {
        var weights = weights.map { Int128(max(0, $0)) }
        if weights.allSatisfy({ $0 == 0 }) { weights = weights.map { _ in 1 } }
        let whole = weights.reduce(0, +)
        let size = Int128(amount.magnitude)
        var parts = weights.map { size * $0 / whole }
        var lost = weights.map { size * $0 % whole }
        while parts.reduce(0, +) < size, let most = lost.max(), let winner = lost.firstIndex(of: most) {
            parts[winner] += 1
            lost[winner] = -1
        }
        return parts.map { Int64(amount < 0 ? -$0 : $0) }
    }

    @Test func `Parts add up to the whole and are those of the largest remainder, whatever the input`() {
        var random = SplitMix64(seed: 1)
        for _ in 0..<20_000 {
            let amount = Self.number(&random)
            let weights = (0..<Int.random(in: 1...9, using: &random)).map { _ in Self.number(&random) }
            let parts = Money(amount, .eur).allocated(by: weights).map(\.amount)
            #expect(parts.map { Int128($0) }.reduce(0, +) == Int128(amount), "\(amount) by \(weights)")
            #expect(parts == Self.reference(amount, weights), "\(amount) by \(weights)")
        }
    }

    @Test(
        arguments: [
            (100, [1, 1, 1], [34, 33, 33]), (-100, [1, 1, 1], [-34, -33, -33]), (5, [0, 0, 0], [2, 2, 1]),
            (10, [3, -7, 1], [8, 0, 2]), (2, [1, 1, 1, 1], [1, 1, 0, 0]), (0, [1, 2], [0, 0]), (7, [], []),
            (.max, [.max, .max], [.max / 2 + 1, .max / 2]), (.min, [.max], [.min]), (1, [1, 2], [0, 1]),
        ] as [(Int64, [Int64], [Int64])])
    func `Units that are left over go to whoever lost most, and among equals to the earlier`(
        amount: Int64, weights: [Int64], parts: [Int64]
    ) {
        #expect(Money(amount, .eur).allocated(by: weights).map(\.amount) == parts)
    }

    @Test(
        arguments: [
            (1_000, 1_900, 11_900, 160), (1, 1, 2, 1), (-1, 1, 2, -1), (1, 1, 3, 0), (2, 1, 3, 1), (-3, 1, 2, -2),
            (.max, .max, .max, .max), (.min, 1, 1, .min), (.min, .max, .max, .min), (.max, 1, .max, 1), (1, 0, 5, 0),
        ] as [(Int64, Int64, Int64, Int64)])
    func `A share is rounded once, halves away from zero`(
        amount: Int64, numerator: Int64, denominator: Int64, share: Int64
    ) throws {
        #expect(try Money(amount, .eur).share(numerator, of: denominator).amount == share)
    }

    @Test func `A share is the exact one, or an overflow, whatever the input`() {
        var random = SplitMix64(seed: 2)
        for _ in 0..<20_000 {
            let (amount, numerator) = (Self.number(&random), Self.number(&random))
            let denominator = max(1, Self.number(&random))
            let product = Int128(amount) * Int128(numerator)
            let (floor, rest) = product.magnitude.quotientAndRemainder(dividingBy: UInt128(denominator))
            let rounded = Int128(floor) + (rest * 2 >= UInt128(denominator) ? 1 : 0)
            let exact = Int64(exactly: product < 0 ? -rounded : rounded)
            let share = try? Money(amount, .eur).share(numerator, of: denominator).amount
            #expect(share == exact, "\(amount) * \(numerator) / \(denominator)")
        }
    }

    @Test(arguments: [(Int64.max, Int64(2), Int64(1)), (.min, -1, 1), (.max, .max, 1), (1, 1, 0), (1, 1, -1)])
    func `A share that does not fit is an error`(amount: Int64, numerator: Int64, denominator: Int64) {
        #expect(throws: MoneyError.overflow) { try Money(amount, .eur).share(numerator, of: denominator) }
    }
}
