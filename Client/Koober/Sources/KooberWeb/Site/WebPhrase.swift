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
        switch phrase {
        case .mapOf(let pickup, nil):
            words("Map. Your location: \(pickup).", "Karte. Du bist an diesem Ort: \(pickup).")
        case .mapOf(let pickup, let dropoff?):
            words("Map of the route from \(pickup) to \(dropoff).", "Karte des Wegs von \(pickup) nach \(dropoff).")
        case .options: words("Rides", "Fahrten")
        case .places: words("Places", "Orte")
        case .appName: "Koober"
        case .search: words("Search", "Suchen")
        case .lost:
            words(
                "The connection to koober is lost. Start koober again, and open the address that it prints.",
                "Die Verbindung zu koober ist unterbrochen. Starte koober neu, und öffne die Adresse, die es ausgibt.")
        case .backToKoober: words("Back to Koober", "Zurück zu Koober")
        case .openAt(let address):
            words("Koober is at \(address). Open this address.", "Koober ist unter \(address). Öffne diese Adresse.")
        case .openPrintedAddress:
            words(
                "koober printed an address in its terminal. Open the latest one in this browser.",
                "koober hat im Terminal eine Adresse ausgegeben. Öffne die neueste in diesem Browser.")
        case .notFromHere:
            words(
                "This request did not come from Koober's page. Nothing has changed.",
                "Diese Anfrage kam nicht von Koobers Seite. Nichts hat sich geändert.")
        case .notOffered:
            words(
                "This is no longer possible, because the screen has changed. Nothing else has changed.",
                "Das ist nicht mehr möglich, denn die Seite hat sich geändert. Sonst hat sich nichts geändert.")
        case .unknownIntention:
            words(
                "Koober does not recognise this request. Nothing has changed.",
                "Koober kennt diese Anfrage nicht. Nichts hat sich geändert.")
        case .noForm:
            words(
                "This request is not a form. Nothing has changed.",
                "Diese Anfrage ist kein Formular. Nichts hat sich geändert.")
        case .tooLarge:
            words(
                "This request is too large. Nothing has changed.",
                "Diese Anfrage ist zu groß. Nichts hat sich geändert.")
        case .tooManyTabs:
            words(
                "Too many tabs show Koober. Close some of them.",
                "Zu viele Tabs zeigen Koober. Schließe einige davon.")
        case .noSuchPage: words("This page does not exist.", "Diese Seite hat Koober nicht.")
        case .wrongMethod: words("This page cannot be used in this way.", "So lässt sich diese Seite nicht verwenden.")
        case .starting: words("Koober is starting. Reload this page.", "Koober startet. Lade diese Seite noch einmal.")
        }
    }
}
