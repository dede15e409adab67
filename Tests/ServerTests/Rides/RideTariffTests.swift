import PouchEntities
import SeededRandom
import Testing

@testable import PouchDomain
@testable import PouchRides

@Suite("Fares")
struct RideTariffTests {
    private static let currencies = ["JPY", "EUR", "JOD"]

    private func fares(_ metres: Int, _ code: String) throws -> [Int64] {
        let tariff = RideTariff(currency: try #require(Currency(code: code)))
        return try Species.allCases.map { try tariff.fare($0, metres: metres).amount }
    }

    @Test(
        arguments: [
            (0, "EUR", [250, 350, 500]), (1_000, "EUR", [360, 500, 710]), (5_432, "EUR", [848, 1_165, 1_641]),
            (1, "EUR", [251, 351, 501]), (0, "JPY", [3, 4, 5]), (1_000, "JPY", [4, 5, 8]),
            (1_000, "JOD", [3_600, 5_000, 7_100]), (1, "JOD", [2_510, 3_510, 5_010]),
        ] as [(Int, String, [Int64])])
    func `A fare is a base and so much for each kilometre, rounded up`(metres: Int, code: String, amounts: [Int64])
        throws
    {
        #expect(try fares(metres, code) == amounts)
    }

    @Test(arguments: currencies)
    func `A greater species is dearer on any way, and a longer way never cheaper`(code: String) throws {
        var random = SplitMix64(seed: 5)
        let lengths = (0...300).map { $0 * 7 } + (0..<2_000).map { _ in Int.random(in: 0...20_000_000, using: &random) }
        var last: [Int64] = [0, 0, 0]
        for metres in lengths.sorted() {
            let fares = try fares(metres, code)
            #expect(fares[0] < fares[1] && fares[1] < fares[2], "\(metres) m")
            #expect(zip(last, fares).allSatisfy { $0 <= $1 }, "\(metres) m")
            last = fares
        }
    }

    @Test(arguments: currencies)
    func `Half around the earth is a fare, and what no amount can hold is an error`(code: String) throws {
        let tariff = RideTariff(currency: try #require(Currency(code: code)))
        for species in Species.allCases {
            #expect(try tariff.fare(species, metres: 26_000_000).amount > 0)
            // Whatever a caller gives: an amount or an error, and never a crash.
            for metres in [Int.max, .max / 110, .max / 210, .max / 1_000, .max / 100_000] {
                do {
                    #expect(try tariff.fare(species, metres: metres).amount > 0)
                } catch MoneyError.overflow {}
            }
        }
    }
}
