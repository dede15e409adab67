import PouchEntities

extension Language {
    /// The words for a phrase, those of each language next to each other.
    public func text(_ phrase: Phrase) -> String {
        switch phrase {
        case .verbatim(let text): text
        case .sentences(let sentences): sentences.map(text).joined(separator: " ")

        case .price(let money): text(money)
        case .distance(let metres): text(metres: metres)
        case .weight(let grams): words("up to \(text(grams: grams))", "bis \(text(grams: grams))")
        case .riders(let count): words("for \(count)", "für \(count)")
        case .rating(let stars):
            words("\(number(stars, places: 1)) of 5 stars", "\(number(stars, places: 1)) von 5 Sternen")
        case .coordinates(let point): text(point, north: "N", south: "S", east: words("E", "O"), west: "W")
        case .near(let place): words("near \(place)", "nahe \(place)")

        case .kooberIsRides: words("Rides by kangaroo, all over Sydney.", "Fahrten mit dem Känguru, durch ganz Sydney.")
        case .welcome: words("Welcome", "Willkommen")
        case .signIn: words("Sign in", "Anmelden")
        case .signUp: words("Create an account", "Konto anlegen")
        case .newAccount: words("New account", "Neues Konto")
        case .name: "Name"
        case .email: words("E-mail", "E-Mail")
        case .password: words("Password", "Passwort")
        case .mobileNumber: words("Mobile number", "Handynummer")
        case .passwordRule:
            words(
                "The password must have 8 to 128 characters. The mobile number is optional.",
                "Das Passwort hat 8 bis 128 Zeichen. Die Handynummer kann fehlen.")
        case .signingIn: words("Signing in", "Anmeldung läuft")
        case .creatingAccount: words("Creating the account", "Konto wird angelegt")
        case .nameMissing: words("Enter your name.", "Gib deinen Namen ein.")
        case .emailMissing: words("Enter your e-mail address.", "Gib deine E-Mail-Adresse ein.")
        case .passwordMissing: words("Enter a password.", "Gib ein Passwort ein.")
        case .profile: words("Profile", "Profil")
        case .close: words("Close", "Schließen")
        case .signOut: words("Sign out", "Abmelden")
        case .signingOut: words("Signing out", "Abmeldung läuft")

        case .starting: words("Starting", "Start läuft")
        case .whereAreYou: words("Where are you?", "Wo bist du?")
        case .findingLocation: words("Finding your location", "Dein Standort wird bestimmt")
        case .whereTo: words("Where to?", "Wohin?")
        case .searching: words("Searching", "Suche läuft")
        case .noPlaceFound: words("No matching places.", "Kein Ort hat diesen Namen.")
        case .placesNotLoaded:
            words(
                "The places could not be loaded. Search again.",
                "Die Orte konnten nicht geladen werden. Suche noch einmal.")
        case .cancel: words("Cancel", "Abbrechen")
        case .whichKangaroo: words("Which kangaroo?", "Welches Känguru?")
        case .lookingForRides: words("Looking for kangaroos", "Kängurus werden gesucht")
        case .noRidesOffered:
            words("No rides are available from here right now.", "Von hier gibt es im Augenblick keine Fahrten.")
        case .ridesNotLoaded:
            words(
                "The rides could not be loaded. Choose the destination again.",
                "Die Fahrten konnten nicht geladen werden. Wähle das Ziel noch einmal.")
        case .somewhereElse: words("Somewhere else", "Anderes Ziel")
        case .to(let place, let metres):
            words(
                "To \(place), \(text(metres: metres)) as the crow flies.",
                "Nach \(place), \(text(metres: metres)) Luftlinie.")
        case .rideBy(let animal, let fare):
            words("Ride by \(animal) for \(text(fare))", "Mit \(animal) für \(text(fare))")
        case .yourRide: words("Your ride", "Deine Fahrt")
        case .requestingRide: words("Requesting the ride", "Fahrt wird bestellt")
        case .costs(let fare): words("It costs \(text(fare)).", "Sie kostet \(text(fare)).")
        case .lookingForKangaroo: words("Looking for a kangaroo", "Ein Känguru wird gesucht")
        case .cancelRide: words("Cancel the ride", "Fahrt absagen")
        case .cancellingRide: words("Cancelling the ride", "Fahrt wird abgesagt")
        case .startNewRide: words("Start a new ride", "Neue Fahrt")
        case .askToCancelRide: words("Cancel the ride?", "Fahrt absagen?")
        case .cancelIt: words("cancel it", "absagen")
        case .keepIt: words("keep it", "behalten")
        case .noUpdate: words("No update for a while", "Seit einer Weile nichts Neues")
        case .offline: words("Offline", "Keine Verbindung")

        case .rideRequested: words("Your ride is requested.", "Deine Fahrt ist bestellt.")
        case .driverIsComing(let name, let minutes):
            words(
                "\(kangaroo(name)) is on the way to you\(toGo(minutes)).",
                "\(kangaroo(name)) ist auf dem Weg zu dir\(toGo(minutes)).")
        case .driverIsClose(let name): words("\(kangaroo(name)) is almost there.", "\(kangaroo(name)) ist fast da.")
        case .onTheWay(let minutes): words("You are on your way\(toGo(minutes)).", "Du bist unterwegs\(toGo(minutes)).")
        case .arrived:
            words("You have arrived. Thank you for riding with us!", "Du bist angekommen. Danke für die Fahrt!")
        case .cancelledByYou: words("You cancelled the ride.", "Du hast die Fahrt abgesagt.")
        case .cancelledByDriver(let name):
            words(
                "\(kangaroo(name)) cancelled, and no other kangaroo was available.",
                "\(kangaroo(name)) hat abgesagt, und kein anderes Känguru war frei.")
        case .noKangarooFree: words("No kangaroo is available right now.", "Im Augenblick ist kein Känguru frei.")
        case .unknownRideStatus:
            words(
                "This version of Koober does not recognise your ride's status. Please update it.",
                "Diese Version von Koober kennt den Stand deiner Fahrt nicht. Bitte aktualisiere sie.")
        case .driver(let name, let stars, let metres):
            words(
                "\(name), \(text(.rating(stars)))\(metres.map { ", \(text(metres: $0)) away" } ?? "").",
                "\(name), \(text(.rating(stars)))\(metres.map { ", noch \(text(metres: $0)) entfernt" } ?? "").")

        case .pickup: words("Pick-up", "Start")
        case .dropoff: words("Drop-off", "Ziel")

        case .somethingWentWrong: words("Something went wrong", "Etwas ist schiefgegangen")
        case .tryAgain: words("Please try again.", "Bitte versuche es noch einmal.")
        case .signInFailed: words("Sign-in failed", "Anmeldung fehlgeschlagen")
        case .signUpFailed: words("Sign-up failed", "Das Konto wurde nicht angelegt")
        case .sessionUnreadable: words("Your session cannot be read", "Deine Sitzung ist nicht lesbar")
        case .sessionUnreadableAdvice:
            words(
                "Your session on this device is damaged or locked. Please sign in again.",
                "Sie ist auf diesem Gerät beschädigt oder gesperrt. Bitte melde dich wieder an.")
        case .signedOut: words("You were signed out", "Du wurdest abgemeldet")
        case .sessionEndedAdvice:
            words("Your session ended. Please sign in again.", "Deine Sitzung ist zu Ende. Bitte melde dich wieder an.")
        case .signedOutHereOnly: words("Signed out on this device only", "Nur auf diesem Gerät abgemeldet")
        case .sessionNotSaved: words("You will not stay signed in", "Du bleibst nicht angemeldet")
        case .sessionNotDeleted:
            words("Your session is still stored on this device", "Deine Sitzung ist noch auf diesem Gerät")
        case .placesNotFound: words("Places could not be loaded", "Orte konnten nicht gesucht werden")
        case .optionsNotFound: words("Ride options could not be loaded", "Fahrten konnten nicht gesucht werden")
        case .ridesNotFound: words("Your rides could not be loaded", "Deine Fahrten konnten nicht gesucht werden")
        case .rideNotFollowed: words("Your ride cannot be followed", "Deine Fahrt lässt sich nicht verfolgen")
        case .rideNotRequested: words("Your ride was not requested", "Deine Fahrt wurde nicht bestellt")
        case .rideNotCancelled: words("Your ride was not cancelled", "Deine Fahrt wurde nicht abgesagt")
        case .rideMaybeRequested: words("Your ride may have been requested", "Deine Fahrt wurde vielleicht bestellt")
        case .rideMaybeRequestedAdvice:
            words(
                "Confirm again to find out; you get at most one ride. Otherwise the app tries again when it next starts.",
                "Bestätige noch einmal, um es zu erfahren; es bleibt bei einer Fahrt. Sonst fragt die App beim nächsten Start nach."
            )
        case .rideMaybeCancelled: words("Your ride may have been cancelled", "Deine Fahrt wurde vielleicht abgesagt")
        case .rideMaybeCancelledAdvice:
            words(
                "The result appears here as soon as it arrives. Cancel again if the ride continues.",
                "Die Antwort erscheint hier, sobald sie da ist. Sage noch einmal ab, wenn die Fahrt weitergeht.")

        case .wrongCredentials:
            words(
                "The e-mail address or password is wrong. Check both, or create an account.",
                "Die E-Mail-Adresse oder das Passwort ist falsch. Prüfe beide, oder lege ein Konto an.")
        case .emailTaken:
            words(
                "This e-mail address already has an account. Sign in, or use another address.",
                "Diese E-Mail-Adresse hat schon ein Konto. Melde dich an, oder nimm eine andere Adresse.")
        case .tooManyAttempts(let seconds):
            words(
                "Too many attempts. \(tryAgain(after: seconds))",
                "Das waren zu viele Versuche. \(tryAgain(after: seconds))")
        case .serverBusy(let seconds):
            words(
                "The service is busy. \(tryAgain(after: seconds))",
                "Der Dienst ist ausgelastet. \(tryAgain(after: seconds))")
        case .notSignedIn:
            words(
                "You are not signed in. Sign in and try again.",
                "Du bist nicht angemeldet. Melde dich an, und versuche es noch einmal.")
        case .sessionEnded:
            words(
                "Your session has ended. Sign in and try again.",
                "Deine Sitzung ist zu Ende. Melde dich an, und versuche es noch einmal.")
        case .forbidden:
            words(
                "You do not have permission to do this. Sign in with an account that has permission.",
                "Das darfst du nicht. Melde dich mit einem Konto an, das es darf.")
        case .notFound: words("Not found. Start again.", "Der Dienst hat es nicht gefunden. Beginne von vorn.")
        case .rideInProgress:
            words(
                "You already have a ride in progress. Wait until it ends, or cancel it.",
                "Du hast schon eine Fahrt. Warte ihr Ende ab, oder sage sie ab.")
        case .quoteExpired:
            words(
                "The fare has expired. Choose the ride again.",
                "Der Preis gilt nicht mehr. Wähle die Fahrt noch einmal.")
        case .notCancellable:
            words("The ride can no longer be cancelled.", "Die Fahrt kann nicht mehr abgesagt werden.")
        case .unreachable:
            words(
                "The service cannot be reached. Check the connection, then try again.",
                "Der Dienst ist nicht erreichbar. Prüfe die Verbindung, und versuche es noch einmal.")
        case .untrustedServer:
            words(
                "The service's certificate is not trusted. Check the address before you continue.",
                "Dem Zertifikat des Dienstes wird nicht vertraut. Prüfe die Adresse, bevor du fortfährst.")
        case .wrongProtocol:
            words(
                "The service is not available at this address and port. Check the address.",
                "Unter dieser Adresse oder diesem Port antwortet nicht der Dienst. Prüfe die Adresse.")
        case .timedOut:
            words(
                "The service did not answer in time. Try again.",
                "Der Dienst hat nicht rechtzeitig geantwortet. Versuche es noch einmal.")
        case .serverFailed:
            words(
                "Something went wrong on the server. Try again later.",
                "Beim Dienst ist etwas schiefgegangen. Versuche es später noch einmal.")
        case .unreadableAnswer:
            words(
                "The service sent an unexpected response. Check whether the network requires a sign-in; then try again.",
                "Die Antwort stammt nicht vom Dienst. Prüfe, ob das Netz eine Anmeldung verlangt; versuche es dann noch einmal."
            )
        case .deviceStorage:
            words(
                "This device could not store the data. Free some space, then try again.",
                "Dieses Gerät konnte die Daten nicht speichern. Schaffe Platz, und versuche es noch einmal.")

        case .ok: "OK"
        case .choose: words("choose", "wählen")
        case .next: words("next", "weiter")
        case .move: words("move", "bewegen")
        case .back: words("back", "zurück")
        case .leave: words("leave", "verlassen")
        case .stay: words("stay", "bleiben")
        case .showProfile: words("profile", "Profil")
        case .askToLeave: words("Leave Koober?", "Koober verlassen?")

        case .step(let step, let last): words("Step \(step) of \(last)", "Schritt \(step) von \(last)")
        case .forward: words("forward", "vor")
        case .export: words("export", "exportieren")
        case .present: words("present", "Gegenwart")
        case .exported(let file): words("Exported to \(file).", "Exportiert nach \(file).")
        case .notExported: words("The file could not be written.", "Die Datei konnte nicht geschrieben werden.")
        }
    }

    /// The one of two texts that is in this language.
    public func words(_ english: @autoclosure () -> String, _ german: @autoclosure () -> String) -> String {
        switch self {
        case .english: english()
        case .german: german()
        }
    }

    private func kangaroo(_ name: String?) -> String { name ?? words("A kangaroo", "Ein Känguru") }

    private func toGo(_ minutes: Int?) -> String {
        minutes.map { words(", \($0) min to go", ", noch \($0) min") } ?? ""
    }

    private func tryAgain(after seconds: Int?) -> String {
        guard let seconds else { return words("Try again in a while.", "Versuche es später noch einmal.") }
        return words(
            "Try again in \(wait(seconds, second: "second", seconds: "seconds", minutes: "minutes")).",
            "Versuche es in \(wait(seconds, second: "Sekunde", seconds: "Sekunden", minutes: "Minuten")) noch einmal.")
    }
}
