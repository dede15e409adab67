import Foundation
import PouchEntities

/// A language of Koober's texts.
///
///     Language.german.text(.sentences([.rideRequested, .costs(fare)]))
public enum Language: String, CaseIterable, Codable, Sendable {
    case english = "en"
    case german = "de"

    /// - Parameter identifier: the system's name, such as `de_AT.UTF-8` or `de-CH`. Every other language becomes
    ///   English.
    public init(identifier: String) {
        let code = identifier.prefix { $0.isLetter }.lowercased()
        self = Language(rawValue: code) ?? .english
    }

    private var locale: Locale {
        switch self {
        case .english: Locale(identifier: "en_AU")
        case .german: Locale(identifier: "de_DE")
        }
    }
}

// MARK: Values

extension Language {
    /// With the sign of the currency, exact.
    func text(_ money: Money) -> String {
        let sign: FloatingPointSign = money.amount < 0 ? .minus : .plus
        let major = Decimal(
            sign: sign, exponent: -money.currency.exponent, significand: Decimal(money.amount.magnitude))
        return major.formatted(.currency(code: money.currency.code).locale(locale))
    }

    /// A rounded distance for the user: `850 m`, `4.2 km`, `31 km`.
    func text(metres: Double) -> String {
        if metres < 995 { return "\(number((metres / 10).rounded() * 10, places: 0)) m" }
        let kilometres = metres / 1_000
        return "\(number(kilometres, places: kilometres < 9.95 ? 1 : 0)) km"
    }

    func text(grams: Int) -> String { "\(number(Double(grams) / 1_000, places: 1)) kg" }

    /// In degrees with two decimal places, which is about a kilometre.
    func text(_ point: GeoPoint, north: String, south: String, east: String, west: String) -> String {
        let latitude = "\(number(abs(point.latitude), places: 2))° \(point.latitude < 0 ? south : north)"
        return latitude + ", \(number(abs(point.longitude), places: 2))° \(point.longitude < 0 ? west : east)"
    }

    /// - Parameter places: the maximum number of decimal places.
    func number(_ number: Double, places: Int) -> String {
        number.formatted(.number.precision(.fractionLength(0...places)).locale(locale))
    }

    /// A waiting time that the service requests: in seconds up to two minutes, then in minutes, rounded up.
    func wait(_ seconds: Int, second: String, seconds plural: String, minutes: String) -> String {
        guard seconds < 120 else { return "\(number(Double((seconds + 59) / 60), places: 0)) \(minutes)" }
        return "\(seconds) \(seconds == 1 ? second : plural)"
    }
}
