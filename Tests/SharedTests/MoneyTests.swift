import Foundation
import PouchEntities
import PouchWire
import SeededRandom
import Testing

@Suite("Money")
struct MoneyTests {
    private func currency(_ code: String) throws -> Currency {
        try #require(Currency(code: code))
    }

    @Test(
        "Currencies have the decimal places of ISO 4217",
        arguments: [("JPY", 0), ("ISK", 0), ("EUR", 2), ("AUD", 2), ("JOD", 3), ("KWD", 3), ("CLF", 4), ("UYW", 4)])
    func exponents(code: String, exponent: Int) throws {
        #expect(try currency(code).exponent == exponent)
    }

    @Test("A code that is none of a currency is refused", arguments: ["", "eur", "EURO", "XXX", "XAU", "ABC"])
    func unknownCodes(code: String) {
        #expect(Currency(code: code) == nil)
        #expect(throws: DecodingError.self) {
            try WireJSON.decode(Money.self, from: Data(#"{"amount":1,"currency":"\#(code)"}"#.utf8))
        }
    }

    @Test(
        "Decimal amounts are read exactly",
        arguments: [
            ("42.99", "EUR", 4299), ("85", "EUR", 8500), ("0.5", "EUR", 50), ("-1.05", "EUR", -105),
            ("1.500", "EUR", 150), ("00.10", "EUR", 10), ("1234", "JPY", 1234), ("12.00", "JPY", 12),
            ("1.234", "JOD", 1234), ("0.0001", "CLF", 1), ("92233720368547758.07", "EUR", Int64.max),
            ("-92233720368547758.08", "EUR", Int64.min),
        ])
    func decimals(text: String, code: String, amount: Int64) throws {
        #expect(Money(decimal: text, currency: try currency(code))?.amount == amount)
    }

    @Test(
        "What is no decimal amount of the currency is refused",
        arguments: [
            ("", "EUR"), ("-", "EUR"), (".", "EUR"), ("1.", "EUR"), (".5", "EUR"), ("1.234", "EUR"), ("1.5", "JPY"),
            ("1,50", "EUR"), ("1 000", "EUR"), ("+1", "EUR"), ("--1", "EUR"), ("1.2.3", "EUR"), ("1e3", "EUR"),
            ("١", "EUR"), ("92233720368547758.08", "EUR"), ("1.-5", "EUR"),
        ])
    func notDecimals(text: String, code: String) throws {
        #expect(Money(decimal: text, currency: try currency(code)) == nil)
    }

    @Test(
        "Amounts are written with all places of the currency",
        arguments: [
            (Int64(12900), "EUR", "129.00"), (5, "EUR", "0.05"), (-5, "EUR", "-0.05"), (0, "EUR", "0.00"),
            (7, "JPY", "7"), (1, "JOD", "0.001"), (12345, "CLF", "1.2345"),
            (Int64.min, "EUR", "-92233720368547758.08"),
        ])
    func written(amount: Int64, code: String, text: String) throws {
        #expect(Money(amount, try currency(code)).decimal == text)
    }

    @Test("What is written is read as the same amount", arguments: ["JPY", "EUR", "JOD", "CLF"])
    func roundTrip(code: String) throws {
        let currency = try currency(code)
        var random = SplitMix64(seed: 3)
        for _ in 0..<500 {
            let shift = Int64.random(in: 0..<63, using: &random)
            let money = Money(Int64.random(in: .min ... .max, using: &random) >> shift, currency)
            #expect(Money(decimal: money.decimal, currency: currency) == money)
        }
    }

    @Test("Sums and products are exact")
    func arithmetic() throws {
        let (ten, three) = (Money(10, .eur), Money(3, .eur))
        #expect(try ten.adding(three) == Money(13, .eur))
        #expect(try three.subtracting(ten) == Money(-7, .eur))
        #expect(try three.multiplied(by: -4) == Money(-12, .eur))
        #expect(try Money(Int64.max - 3, .eur).adding(three).amount == .max)
    }

    @Test("What does not fit is an error, never another number")
    func overflow() {
        #expect(throws: MoneyError.overflow) { try Money(.max, .eur).adding(Money(1, .eur)) }
        #expect(throws: MoneyError.overflow) { try Money(.min, .eur).subtracting(Money(1, .eur)) }
        #expect(throws: MoneyError.overflow) { try Money(.max / 2 + 1, .eur).multiplied(by: 2) }
        #expect(throws: MoneyError.overflow) { try Money(.min, .eur).multiplied(by: -1) }
    }

    @Test("Two currencies do not add up")
    func mismatch() throws {
        let yen = Money(1, try currency("JPY"))
        #expect(throws: MoneyError.currencyMismatch) { try yen.adding(Money(1, .eur)) }
        #expect(throws: MoneyError.currencyMismatch) { try yen.subtracting(Money(1, .eur)) }
    }
}
