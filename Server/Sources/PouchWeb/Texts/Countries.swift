import Foundation
import PouchEntities

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
