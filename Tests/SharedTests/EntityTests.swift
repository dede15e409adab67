import Foundation
import PouchEntities
import PouchJSON
import SeededRandom
import Testing

@Suite("Money")
struct MoneyTests {
    private func currency(_ code: String) throws -> Currency { try #require(Currency(code: code)) }

    @Test(arguments: [("JPY", 0), ("ISK", 0), ("EUR", 2), ("AUD", 2), ("JOD", 3), ("KWD", 3), ("CLF", 4), ("UYW", 4)])
    func `Currencies have the decimal places of ISO 4217`(code: String, exponent: Int) throws {
        #expect(try currency(code).exponent == exponent)
    }

    @Test(arguments: ["", "eur", "EURO", "XXX", "XAU", "ABC"])
    func `Unknown currency codes are refused`(code: String) {
        #expect(Currency(code: code) == nil)
        #expect(throws: JSONError.self) { try Money(json: Data(#"{"amount":1,"currency":"\#(code)"}"#.utf8)) }
    }

    @Test(arguments: [
        ("42.99", "EUR", 4299), ("85", "EUR", 8500), ("0.5", "EUR", 50), ("-1.05", "EUR", -105), ("1.500", "EUR", 150),
        ("00.10", "EUR", 10), ("1234", "JPY", 1234), ("12.00", "JPY", 12), ("1.234", "JOD", 1234), ("0.0001", "CLF", 1),
        ("92233720368547758.07", "EUR", Int64.max), ("-92233720368547758.08", "EUR", Int64.min),
    ])
    func `Decimal amounts are parsed exactly`(text: String, code: String, amount: Int64) throws {
        #expect(Money(decimal: text, currency: try currency(code))?.amount == amount)
    }

    @Test(arguments: [
        ("", "EUR"), ("-", "EUR"), (".", "EUR"), ("1.", "EUR"), (".5", "EUR"), ("1.234", "EUR"), ("1.5", "JPY"),
        ("1,50", "EUR"), ("1 000", "EUR"), ("+1", "EUR"), ("--1", "EUR"), ("1.2.3", "EUR"), ("1e3", "EUR"),
        ("١", "EUR"), ("92233720368547758.08", "EUR"), ("1.-5", "EUR"),
    ])
    func `Text that is not a decimal amount of the currency is refused`(text: String, code: String) throws {
        #expect(Money(decimal: text, currency: try currency(code)) == nil)
    }

    @Test(arguments: [
        (Int64(12900), "EUR", "129.00"), (5, "EUR", "0.05"), (-5, "EUR", "-0.05"), (0, "EUR", "0.00"), (7, "JPY", "7"),
        (1, "JOD", "0.001"), (12345, "CLF", "1.2345"), (Int64.min, "EUR", "-92233720368547758.08"),
    ])
    func `Amounts are formatted with all places of the currency`(amount: Int64, code: String, text: String) throws {
        #expect(Money(amount, try currency(code)).decimal == text)
    }

    @Test(arguments: ["JPY", "EUR", "JOD", "CLF"])
    func `Formatted amounts are parsed as the same amount`(code: String) throws {
        let currency = try currency(code)
        var random = SplitMix64(seed: 3)
        for _ in 0..<500 {
            let shift = Int64.random(in: 0..<63, using: &random)
            let money = Money(Int64.random(in: .min ... .max, using: &random) >> shift, currency)
            #expect(Money(decimal: money.decimal, currency: currency) == money)
        }
    }

    @Test func `Sums and products are exact`() throws {
        let (ten, three) = (Money(10, .eur), Money(3, .eur))
        #expect(try ten.adding(three) == Money(13, .eur))
        #expect(try three.subtracting(ten) == Money(-7, .eur))
        #expect(try three.multiplied(by: -4) == Money(-12, .eur))
        #expect(try Money(Int64.max - 3, .eur).adding(three).amount == .max)
    }

    @Test func `An overflow is an error, never another number`() {
        #expect(throws: MoneyError.overflow) { try Money(.max, .eur).adding(Money(1, .eur)) }
        #expect(throws: MoneyError.overflow) { try Money(.min, .eur).subtracting(Money(1, .eur)) }
        #expect(throws: MoneyError.overflow) { try Money(.max / 2 + 1, .eur).multiplied(by: 2) }
        #expect(throws: MoneyError.overflow) { try Money(.min, .eur).multiplied(by: -1) }
    }

    @Test func `Adding two currencies is an error`() throws {
        let yen = Money(1, try currency("JPY"))
        #expect(throws: MoneyError.currencyMismatch) { try yen.adding(Money(1, .eur)) }
        #expect(throws: MoneyError.currencyMismatch) { try yen.subtracting(Money(1, .eur)) }
    }
}

@Suite("Money: splits and shares")
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

    /// Gives the units that are left after rounding down, one by one, to the part that lost most.
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

    @Test func `For any input the parts add up to the whole and follow the largest remainder method`() {
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
    func `Remaining units go to the parts that lost most, among equal ones to the earlier`(
        amount: Int64, weights: [Int64], parts: [Int64]
    ) { #expect(Money(amount, .eur).allocated(by: weights).map(\.amount) == parts) }

    @Test(
        arguments: [
            (1_000, 1_900, 11_900, 160), (1, 1, 2, 1), (-1, 1, 2, -1), (1, 1, 3, 0), (2, 1, 3, 1), (-3, 1, 2, -2),
            (.max, .max, .max, .max), (.min, 1, 1, .min), (.min, .max, .max, .min), (.max, 1, .max, 1), (1, 0, 5, 0),
        ] as [(Int64, Int64, Int64, Int64)])
    func `A share is rounded once, with halves away from zero`(
        amount: Int64, numerator: Int64, denominator: Int64, share: Int64
    ) throws { #expect(try Money(amount, .eur).share(numerator, of: denominator).amount == share) }

    @Test func `For any input a share is exact or an overflow`() {
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
    func `A share that does not fit throws overflow`(amount: Int64, numerator: Int64, denominator: Int64) {
        #expect(throws: MoneyError.overflow) { try Money(amount, .eur).share(numerator, of: denominator) }
    }
}

@Suite("Updates of a ride")
struct RideUpdateTests {
    private static let somewhere = GeoPoint(latitude: -33.87, longitude: 151.21)
    private let driver = Ride.Driver(name: "Skippy", rating: 4.9, location: somewhere)
    private let moment = Date(timeIntervalSince1970: 1_798_859_045)

    private func ride(_ status: RideStatus, _ driver: Ride.Driver? = nil, etaSeconds: Int? = nil) -> Ride {
        Ride(
            id: "rid_01", status: status,
            waypoints: RideWaypoints(pickupLocation: Self.somewhere, dropoffLocation: Self.somewhere),
            rideOptionID: "wallaby", fare: Money(1290, .eur), driver: driver, etaSeconds: etaSeconds,
            createdAt: moment, history: [.init(status: status, at: moment)])
    }

    @Test func `A status event replaces the driver and the remaining time, even by nil`() {
        let history = [Ride.Event(status: .requested, at: moment), .init(status: .accepted, at: moment)]
        let accepted = ride(.requested).applying(
            RideUpdate(status: .accepted, driver: driver, etaSeconds: 60, history: history))
        #expect(accepted.status == .accepted && accepted.driver == driver && accepted.etaSeconds == 60)
        #expect(accepted.history == history)
        let again = accepted.applying(RideUpdate(status: .requested))
        #expect(again.driver == nil && again.etaSeconds == nil && again.history == history)
    }

    @Test(arguments: [(-1, 1), (0, 1), (1, 1), (60, 1), (61, 2), (121, 3), (Int.max, Int.max / 60 + 1)])
    func `Remaining seconds are rounded up to minutes, at least one`(seconds: Int, minutes: Int) {
        #expect(ride(.accepted, driver, etaSeconds: seconds).etaMinutes == minutes)
        #expect(ride(.requested).etaMinutes == nil)
    }

    @Test func `A position event changes the driver and the time only, and is ignored without a driver`() {
        let accepted = ride(.accepted, driver, etaSeconds: 60)
        let there = Ride.Driver(name: "Skippy", rating: 4.9, location: GeoPoint(latitude: -33.9, longitude: 151.2))
        #expect(accepted.applying(RideUpdate(driver: there, etaSeconds: 50)) == ride(.accepted, there, etaSeconds: 50))
        #expect(accepted.applying(RideUpdate()) == accepted)
        #expect(ride(.requested).applying(RideUpdate(driver: there, etaSeconds: 50)) == ride(.requested))
    }
}

@Suite("Words of a search")
struct SearchWordsTests {
    /// As every catalogue searches: each word of the search begins a word of the text.
    private func finds(_ search: String, in text: String) -> Bool {
        let words = FoldedText.indexWords(in: text)
        return FoldedText.searchWords(in: search).allSatisfy { word in words.contains { $0.hasPrefix(word) } }
    }

    @Test(arguments: [
        ("tshirt", "T-Shirt"), ("t-shirt", "T-Shirt"), ("shirt", "T-Shirt"), ("ht71616s", "HT-71616-S"),
        ("傘", "日本語の傘"), ("日本 傘", "日本語の傘"), ("iphoneケース", "iPhone用ケース"), ("uberwurf", "Überwurf"),
        ("ร่ม", "เสื้อลายร่มสีแดง"), ("一二三四五六七八九十一二三四五六七八", "零一二三四五六七八九十一二三四五六七八九"),
    ])
    func `A text is found by words, joined words, and words of scripts without spaces`(search: String, text: String) {
        #expect(finds(search, in: text))
    }

    @Test(arguments: [("shirttop", "T-Shirt top"), ("irt", "T-Shirt"), ("傘立", "日本語の傘"), ("語本", "日本語の傘")])
    func `Nothing else is found`(search: String, text: String) {
        #expect(!finds(search, in: text))
    }

    @Test func `Long texts without spaces have few words, since these repeat`() {
        #expect(Set(FoldedText.indexWords(in: String(repeating: "冬の手編みのセーターとマフラー。", count: 40))).count <= 16)
    }

    @Test func `Handles and SKUs are made of the words alone`() {
        #expect("T-Shirt 傘".slug == "t-shirt-5098")
    }
}

@Suite("E-mail addresses")
struct EmailAddressTests {
    @Test(arguments: [
        ("ada@example.com", "ada@example.com"), (" Ada.L+x@Example.COM ", "ada.l+x@example.com"),
        ("ada@bücher.example", "ada@bücher.example"), ("用户@example.com", "用户@example.com"),
        ("ada@xn--bcher-kva.example", "ada@bücher.example"), ("ada@BU\u{308}CHER.example", "ada@bücher.example"),
        ("ada@ｅxample.com", "ada@example.com"), ("rene\u{301}@example.com", "ren\u{E9}@example.com"),
    ])
    func `Addresses of all scripts are taken, in the form by which accounts are unique`(text: String, form: String) {
        #expect(EmailAddress.normalized(text).map { Array($0.utf8) } == Array(form.utf8))
    }

    @Test(arguments: [
        "", "ada", "@example.com", "ada@", "ada@example", "ann,b@example.com", "a..b@example.com", ".a@example.com",
        "a.@example.com", "a;b@example.com", "a<b@example.com", "a(b)@example.com", "a\\b@example.com",
        "a b@example.com", "\"a b\"@example.com", "a@-x.example", "a@x-.example", "a@exam_ple.com", "a@example..com",
        "a@[127.0.0.1]", "a@127.0.0.1", "a@１２７.０.０.１", "<a@b.cc", "a@b.cc>", "a@b@example.com",
        "a@" + String(repeating: "x", count: 64) + ".example", String(repeating: "a", count: 65) + "@example.com",
        "a@bücher.example/x", "a@bücher.example:25", "a@bücher.example?x", "a@bücher.example#x",
        "a@bücher%2eexample.com", "a\u{202E}@example.com", "a@exam\u{AD}ple.com", "a@example.com\r\nRCPT TO:<b@c.de>",
    ])
    func `An address that no mail can reach is none`(text: String) {
        #expect(EmailAddress.normalized(text) == nil)
    }

    @Test func `A domain in another script is sent in its ASCII form, and a host needs no dot`() {
        #expect(EmailAddress("ada@bücher.example")?.address == "ada@xn--bcher-kva.example")
        #expect(EmailAddress("shop@localhost")?.domain == "localhost")
    }
}
