import PouchEntities

extension Language {
    func german(_ phrase: Phrase) -> String {
        switch phrase {
        case .verbatim(let words): words
        case .sentences(let sentences): sentences.map(german).joined(separator: " ")

        case .price(let money): text(money)
        case .distance(let metres): text(metres: metres)
        case .weight(let grams): "bis \(text(grams: grams))"
        case .riders(let count): "für \(count)"
        case .rating(let stars): "\(number(stars, places: 1)) von 5 Sternen"
        case .coordinates(let point): text(point, north: "N", south: "S", east: "O", west: "W")
        case .near(let place): "nahe \(place)"

        case .kooberIsRides: "Fahrten mit dem Känguru, durch ganz Sydney."
        case .welcome: "Willkommen"
        case .signIn: "Anmelden"
        case .signUp: "Konto anlegen"
        case .newAccount: "Neues Konto"
        case .name: "Name"
        case .email: "E-Mail"
        case .password: "Passwort"
        case .mobileNumber: "Handynummer"
        case .passwordRule: "Das Passwort hat 8 bis 128 Zeichen. Die Handynummer kann fehlen."
        case .signingIn: "Anmeldung läuft"
        case .creatingAccount: "Konto wird angelegt"
        case .nameMissing: "Gib deinen Namen ein."
        case .emailMissing: "Gib deine E-Mail-Adresse ein."
        case .passwordMissing: "Gib ein Passwort ein."
        case .profile: "Profil"
        case .close: "Schließen"
        case .signOut: "Abmelden"
        case .signingOut: "Abmeldung läuft"

        case .starting: "Start läuft"
        case .whereAreYou: "Wo bist du?"
        case .findingLocation: "Dein Standort wird bestimmt"
        case .whereTo: "Wohin?"
        case .searching: "Suche läuft"
        case .noPlaceFound: "Kein Ort hat diesen Namen."
        case .placesNotLoaded: "Die Orte konnten nicht geladen werden. Suche noch einmal."
        case .cancel: "Abbrechen"
        case .whichKangaroo: "Welches Känguru?"
        case .lookingForRides: "Kängurus werden gesucht"
        case .noRidesOffered: "Von hier gibt es im Augenblick keine Fahrten."
        case .ridesNotLoaded: "Die Fahrten konnten nicht geladen werden. Wähle das Ziel noch einmal."
        case .somewhereElse: "Anderes Ziel"
        case .to(let place, let metres): "Nach \(place), \(text(metres: metres)) Luftlinie."
        case .rideBy(let animal, let fare): "Mit \(animal) für \(text(fare))"
        case .yourRide: "Deine Fahrt"
        case .requestingRide: "Fahrt wird bestellt"
        case .costs(let fare): "Sie kostet \(text(fare))."
        case .lookingForKangaroo: "Ein Känguru wird gesucht"
        case .cancelRide: "Fahrt absagen"
        case .cancellingRide: "Fahrt wird abgesagt"
        case .startNewRide: "Neue Fahrt"
        case .askToCancelRide: "Fahrt absagen?"
        case .cancelIt: "absagen"
        case .keepIt: "behalten"
        case .noUpdate: "Seit einer Weile nichts Neues"
        case .offline: "Keine Verbindung"

        case .rideRequested: "Deine Fahrt ist bestellt."
        case .driverIsComing(let name, let minutes): "\(kangaroo(name)) ist auf dem Weg zu dir\(toGo(minutes))."
        case .driverIsClose(let name): "\(kangaroo(name)) ist fast da."
        case .onTheWay(let minutes): "Du bist unterwegs\(toGo(minutes))."
        case .arrived: "Du bist angekommen. Danke für die Fahrt!"
        case .cancelledByYou: "Du hast die Fahrt abgesagt."
        case .cancelledByDriver(let name): "\(kangaroo(name)) hat abgesagt, und kein anderes Känguru war frei."
        case .noKangarooFree: "Im Augenblick ist kein Känguru frei."
        case .unknownRideStatus: "Diese Version von Koober kennt den Stand deiner Fahrt nicht. Bitte aktualisiere sie."
        case .driver(let name, let stars, let metres):
            "\(name), \(german(.rating(stars)))\(metres.map { ", noch \(text(metres: $0)) entfernt" } ?? "")."

        case .pickup: "Start"
        case .dropoff: "Ziel"

        case .somethingWentWrong: "Etwas ist schiefgegangen"
        case .tryAgain: "Bitte versuche es noch einmal."
        case .signInFailed: "Anmeldung fehlgeschlagen"
        case .signUpFailed: "Das Konto wurde nicht angelegt"
        case .sessionUnreadable: "Deine Sitzung ist nicht lesbar"
        case .sessionUnreadableAdvice: "Sie ist auf diesem Gerät beschädigt oder gesperrt. Bitte melde dich wieder an."
        case .signedOut: "Du wurdest abgemeldet"
        case .sessionEndedAdvice: "Deine Sitzung ist zu Ende. Bitte melde dich wieder an."
        case .signedOutHereOnly: "Nur auf diesem Gerät abgemeldet"
        case .sessionNotSaved: "Du bleibst nicht angemeldet"
        case .sessionNotDeleted: "Deine Sitzung ist noch auf diesem Gerät"
        case .placesNotFound: "Orte konnten nicht gesucht werden"
        case .optionsNotFound: "Fahrten konnten nicht gesucht werden"
        case .ridesNotFound: "Deine Fahrten konnten nicht gesucht werden"
        case .rideNotFollowed: "Deine Fahrt lässt sich nicht verfolgen"
        case .rideNotRequested: "Deine Fahrt wurde nicht bestellt"
        case .rideNotCancelled: "Deine Fahrt wurde nicht abgesagt"
        case .rideMaybeRequested: "Deine Fahrt wurde vielleicht bestellt"
        case .rideMaybeRequestedAdvice:
            "Bestätige noch einmal, um es zu erfahren; es bleibt bei einer Fahrt. Sonst fragt die App beim nächsten Start nach."
        case .rideMaybeCancelled: "Deine Fahrt wurde vielleicht abgesagt"
        case .rideMaybeCancelledAdvice:
            "Die Antwort erscheint hier, sobald sie da ist. Sage noch einmal ab, wenn die Fahrt weitergeht."

        case .wrongCredentials: "Die E-Mail-Adresse oder das Passwort ist falsch. Prüfe beide, oder lege ein Konto an."
        case .emailTaken: "Diese E-Mail-Adresse hat schon ein Konto. Melde dich an, oder nimm eine andere Adresse."
        case .tooManyAttempts(let seconds): "Das waren zu viele Versuche. \(tryAgain(after: seconds))"
        case .serverBusy(let seconds): "Der Dienst ist ausgelastet. \(tryAgain(after: seconds))"
        case .notSignedIn: "Du bist nicht angemeldet. Melde dich an, und versuche es noch einmal."
        case .sessionEnded: "Deine Sitzung ist zu Ende. Melde dich an, und versuche es noch einmal."
        case .forbidden: "Das darfst du nicht. Melde dich mit einem Konto an, das es darf."
        case .notFound: "Der Dienst hat es nicht gefunden. Beginne von vorn."
        case .rideInProgress: "Du hast schon eine Fahrt. Warte ihr Ende ab, oder sage sie ab."
        case .quoteExpired: "Der Preis gilt nicht mehr. Wähle die Fahrt noch einmal."
        case .notCancellable: "Die Fahrt kann nicht mehr abgesagt werden."
        case .unreachable: "Der Dienst ist nicht erreichbar. Prüfe die Verbindung, und versuche es noch einmal."
        case .untrustedServer:
            "Dem Zertifikat des Dienstes wird nicht vertraut. Prüfe die Adresse, bevor du fortfährst."
        case .wrongProtocol: "Unter dieser Adresse oder diesem Port antwortet nicht der Dienst. Prüfe die Adresse."
        case .timedOut: "Der Dienst hat nicht rechtzeitig geantwortet. Versuche es noch einmal."
        case .serverFailed: "Beim Dienst ist etwas schiefgegangen. Versuche es später noch einmal."
        case .unreadableAnswer:
            "Die Antwort stammt nicht vom Dienst. Prüfe, ob das Netz eine Anmeldung verlangt; versuche es dann noch einmal."
        case .deviceStorage:
            "Dieses Gerät konnte die Daten nicht speichern. Schaffe Platz, und versuche es noch einmal."

        case .ok: "OK"
        case .choose: "wählen"
        case .next: "weiter"
        case .move: "bewegen"
        case .back: "zurück"
        case .leave: "verlassen"
        case .stay: "bleiben"
        case .showProfile: "Profil"
        case .askToLeave: "Koober verlassen?"

        case .step(let step, let last): "Schritt \(step) von \(last)"
        case .forward: "vor"
        case .export: "exportieren"
        case .present: "Gegenwart"
        case .exported(let file): "Exportiert nach \(file)."
        case .notExported: "Die Datei konnte nicht geschrieben werden."
        }
    }

    private func kangaroo(_ name: String?) -> String { name ?? "Ein Känguru" }

    private func toGo(_ minutes: Int?) -> String { minutes.map { ", noch \($0) min" } ?? "" }

    private func tryAgain(after seconds: Int?) -> String {
        guard let seconds else { return "Versuche es später noch einmal." }
        return
            "Versuche es in \(wait(seconds, second: "Sekunde", seconds: "Sekunden", minutes: "Minuten")) noch einmal."
    }
}
