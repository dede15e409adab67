import Foundation
import PouchEntities

/// A language of the shop's pages. Names of products and of delivery methods are in the language in which the merchant
/// wrote them.
enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case german = "de"

    /// The file with its texts.
    var fileName: String { "\(rawValue).json" }

    /// The language of the visitor's choice, or the first of `Accept-Language` (RFC 9110 §12.5.4) that there is.
    ///
    /// - Parameter chosen: the value of the cookie.
    init(chosen: String?, accepted: String?) {
        if let language = chosen.flatMap(Language.init) {
            self = language
            return
        }
        // A header of a browser has few entries; a longer one is read in part. Read as bytes, since every page does.
        let entries = (accepted ?? "").utf8.split(separator: UInt8(ascii: ",")).prefix(20)
        let wishes = entries.enumerated().compactMap {
            place, entry -> (language: Language, weight: Double, place: Int)? in
            let parts = entry.split(separator: UInt8(ascii: ";")).map(Self.trimmed)
            guard let tag = parts.first?.split(separator: UInt8(ascii: "-")).first,
                let language = Language(rawValue: String(Substring(tag)).lowercased())
            else { return nil }
            let quality = parts.dropFirst().first { $0.starts(with: "q=".utf8) }
            let weight = quality.map { Double(Substring($0.dropFirst(2))) ?? 0 } ?? 1
            return weight > 0 ? (language, weight, place) : nil
        }
        self = wishes.max { ($0.weight, -$0.place) < ($1.weight, -$1.place) }?.language ?? .english
    }

    private static func trimmed(_ part: Substring.UTF8View) -> Substring.UTF8View {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let rest = part.drop(while: isSpace)
        return rest.lastIndex { !isSpace($0) }.map { rest[...$0] } ?? rest
    }

    /// As its speakers write it.
    var ownName: String {
        switch self {
        case .english: "English"
        case .german: "Deutsch"
        }
    }

    var locale: Locale {
        switch self {
        case .english: Self.britain
        case .german: Self.germany
        }
    }

    private static let (britain, germany) = (Locale(identifier: "en_GB"), Locale(identifier: "de_DE"))

    // MARK: Formats

    /// A price as people of the language write it, such as “€49.90” or “49,90 €”.
    func price(_ money: Money) -> String {
        let places = money.currency.exponent
        let decimal = Decimal(sign: .plus, exponent: -places, significand: Decimal(money.amount))
        return decimal.formatted(
            .currency(code: money.currency.code).locale(locale).precision(.fractionLength(places)))
    }

    /// A day, such as “3 May 2027”.
    func day(_ date: Date, in timeZone: TimeZone) -> String {
        date.formatted(
            Date.FormatStyle(date: .long, time: .omitted, locale: locale, timeZone: timeZone))
    }

    /// A day and a time of it, such as “3 May 2027 at 14:05”.
    func time(_ date: Date, in timeZone: TimeZone) -> String {
        date.formatted(Date.FormatStyle(date: .long, time: .shortened, locale: locale, timeZone: timeZone))
    }

    func number(_ number: Int) -> String { number.formatted(.number.locale(locale)) }
}

extension Int64 {
    /// Parses a decimal that a visitor typed, in units of its last place: with a point or a comma before the places, and
    /// with the other one of them between thousands.
    init?(typed text: String, places: Int) {
        let point: Character = text.last { $0 == "." || $0 == "," } ?? "."
        let digits = text.filter { $0 == point || $0 != "." && $0 != "," && !$0.isWhitespace }
        self.init(decimal: String(digits.map { $0 == point ? "." : $0 }), places: places)
    }
}

extension Money {
    /// Parses a price that a visitor typed.
    init?(typed text: String, currency: Currency) {
        guard let amount = Int64(typed: text, places: currency.exponent) else { return nil }
        self.init(amount, currency)
    }
}
