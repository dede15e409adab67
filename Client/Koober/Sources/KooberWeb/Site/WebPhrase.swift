import KooberTexts

/// A text that only the web site has.
enum WebPhrase: Sendable {
    case mapOf(pickup: String, dropoff: String?)
    case options, places, appName
    case search
    /// The browser no longer receives updates.
    case lost

    // MARK: Pages about a request

    case backToKoober
    case openAt(String), openPrintedAddress, notFromHere
    case notOffered, unknownIntention, noForm, tooLarge, tooManyTabs
    case noSuchPage, wrongMethod, starting
}

extension Language {
    func text(_ phrase: WebPhrase) -> String {
        switch self {
        case .english: english(phrase)
        case .german: german(phrase)
        }
    }

    private func english(_ phrase: WebPhrase) -> String {
        switch phrase {
        case .mapOf(let pickup, nil): "Map. Your location: \(pickup)."
        case .mapOf(let pickup, let dropoff?): "Map of the route from \(pickup) to \(dropoff)."
        case .options: "Rides"
        case .places: "Places"
        case .appName: "Koober"
        case .search: "Search"
        case .lost: "The connection to koober is lost. Start koober again, and open the address that it prints."
        case .backToKoober: "Back to Koober"
        case .openAt(let address): "Koober is at \(address). Open this address."
        case .openPrintedAddress: "koober printed an address in its terminal. Open the latest one in this browser."
        case .notFromHere: "This request did not come from Koober's page. Nothing has changed."
        case .notOffered: "This is no longer possible, because the screen has changed. Nothing else has changed."
        case .unknownIntention: "Koober does not recognise this request. Nothing has changed."
        case .noForm: "This request is not a form. Nothing has changed."
        case .tooLarge: "This request is too large. Nothing has changed."
        case .tooManyTabs: "Too many tabs show Koober. Close some of them."
        case .noSuchPage: "This page does not exist."
        case .wrongMethod: "This page cannot be used in this way."
        case .starting: "Koober is starting. Reload this page."
        }
    }

    private func german(_ phrase: WebPhrase) -> String {
        switch phrase {
        case .mapOf(let pickup, nil): "Karte. Du bist an diesem Ort: \(pickup)."
        case .mapOf(let pickup, let dropoff?): "Karte des Wegs von \(pickup) nach \(dropoff)."
        case .options: "Fahrten"
        case .places: "Orte"
        case .appName: "Koober"
        case .search: "Suchen"
        case .lost:
            "Die Verbindung zu koober ist unterbrochen. Starte koober neu, und öffne die Adresse, die es ausgibt."
        case .backToKoober: "Zurück zu Koober"
        case .openAt(let address): "Koober ist unter \(address). Öffne diese Adresse."
        case .openPrintedAddress: "koober hat im Terminal eine Adresse ausgegeben. Öffne die neueste in diesem Browser."
        case .notFromHere: "Diese Anfrage kam nicht von Koobers Seite. Nichts hat sich geändert."
        case .notOffered:
            "Das ist nicht mehr möglich, denn die Seite hat sich geändert. Sonst hat sich nichts geändert."
        case .unknownIntention: "Koober kennt diese Anfrage nicht. Nichts hat sich geändert."
        case .noForm: "Diese Anfrage ist kein Formular. Nichts hat sich geändert."
        case .tooLarge: "Diese Anfrage ist zu groß. Nichts hat sich geändert."
        case .tooManyTabs: "Zu viele Tabs zeigen Koober. Schließe einige davon."
        case .noSuchPage: "Diese Seite hat Koober nicht."
        case .wrongMethod: "So lässt sich diese Seite nicht verwenden."
        case .starting: "Koober startet. Lade diese Seite noch einmal."
        }
    }
}
