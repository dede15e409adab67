import Foundation
import PouchEntities

/// A language of the shop's pages. Names of products and delivery methods are in the merchant's language.
enum Language: String, Sendable, CaseIterable {
    case english = "en"
    case german = "de"

    /// The name of the file with its texts.
    var fileName: String { "\(rawValue).json" }

    /// Creates the visitor's chosen language, or the first supported one in `Accept-Language` (RFC 9110 §12.5.4).
    ///
    /// - Parameter chosen: the value of the cookie.
    init(chosen: String?, accepted: String?) {
        if let language = chosen.flatMap(Language.init) {
            self = language
            return
        }
        // Every page does this, so it allocates no arrays. Browsers send few entries; a longer header is read partly.
        var rest = (accepted ?? "").utf8[...]
        var best: (language: Language, weight: Double)?
        for _ in 0..<20 where !rest.isEmpty {
            let entry = Self.cut(&rest, at: ",")
            guard let wish = Self.wish(entry), wish.weight > best?.weight ?? 0 else { continue }
            best = wish
            // No weight is higher.
            if wish.weight >= 1 { break }
        }
        self = best?.language ?? .english
    }

    /// The language and weight of an entry such as `de-AT;q=0.7`; nil for an unsupported language.
    private static func wish(_ entry: Substring.UTF8View) -> (language: Language, weight: Double)? {
        var rest = entry
        var range = trimmed(cut(&rest, at: ";"))
        let tag = cut(&range, at: "-")
        let small = tag.lazy.map { (65...90).contains($0) ? $0 + 32 : $0 }
        guard let language = allCases.first(where: { $0.rawValue.utf8.elementsEqual(small) }) else { return nil }
        while !rest.isEmpty {
            let parameter = trimmed(cut(&rest, at: ";"))
            guard parameter.starts(with: "q=".utf8) else { continue }
            return (language, Double(Substring(parameter.dropFirst(2))) ?? 0)
        }
        return (language, 1)
    }

    /// Removes and returns the text up to the separator. Also removes the separator.
    private static func cut(_ text: inout Substring.UTF8View, at separator: Unicode.Scalar) -> Substring.UTF8View {
        let part = text.prefix { $0 != UInt8(ascii: separator) }
        text = text[part.endIndex...].dropFirst()
        return part
    }

    private static func trimmed(_ part: Substring.UTF8View) -> Substring.UTF8View {
        func isSpace(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let rest = part.drop(while: isSpace)
        return rest.lastIndex { !isSpace($0) }.map { rest[...$0] } ?? rest
    }

    /// The name of the language in that language.
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

    /// A price in the format of the language, such as “€49.90” or “49,90 €”.
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

    /// A day and time, such as “3 May 2027 at 14:05”.
    func time(_ date: Date, in timeZone: TimeZone) -> String {
        date.formatted(Date.FormatStyle(date: .long, time: .shortened, locale: locale, timeZone: timeZone))
    }

    func number(_ number: Int) -> String { number.formatted(.number.locale(locale)) }
}

extension Int64 {
    /// Parses a decimal that a visitor entered, in units of its last place. The decimal separator is a point or a
    /// comma, and the thousands separator is the other one.
    init?(typed text: String, places: Int) {
        let point: Character = text.last { $0 == "." || $0 == "," } ?? "."
        let digits = text.filter { $0 == point || $0 != "." && $0 != "," && !$0.isWhitespace }
        self.init(decimal: String(digits.map { $0 == point ? "." : $0 }), places: places)
    }
}

extension Money {
    /// Parses a price that a visitor entered.
    init?(typed text: String, currency: Currency) {
        guard let amount = Int64(typed: text, places: currency.exponent) else { return nil }
        self.init(amount, currency)
    }
}

extension Language {
    /// The name of a country by its code; the code itself for an unknown country.
    func country(_ code: String) -> String { Self.names[self]?[code] ?? code }

    /// The names of all countries in all languages, cached because looking up a name is slower than rendering a page.
    private static let names: [Language: [String: String]] = Dictionary(
        uniqueKeysWithValues: allCases.map { language in
            let pairs = Country.codes.map { ($0, language.locale.localizedString(forRegionCode: $0) ?? $0) }
            return (language, Dictionary(uniqueKeysWithValues: pairs))
        })

    /// All countries, sorted by name.
    var countries: [(code: String, name: String)] { Self.sorted[self] ?? [] }

    private static let sorted: [Language: [(code: String, name: String)]] = Dictionary(
        uniqueKeysWithValues: allCases.map { language in
            let pairs = (names[language] ?? [:]).map { (code: $0.key, name: $0.value) }
            return (
                language,
                pairs.sorted { $0.name.compare($1.name, locale: language.locale) == .orderedAscending }
            )
        })
}
