import Foundation
import KooberTexts
import PouchEntities
import Testing

/// The exact words of values, whose form depends on the language, and rules for the words of all phrases.
struct LanguageTests {
    @Test(arguments: [
        ("de_AT.UTF-8", Language.german), ("de", .german), ("DE-ch", .german), ("en_AU", .english), ("C", .english),
        ("", .english), ("der", .english), ("fr_FR", .english),
    ])
    func `the system names the language`(_ identifier: String, _ language: Language) {
        #expect(Language(identifier: identifier) == language)
    }

    struct Sample: Sendable, CustomTestStringConvertible {
        let phrase: Phrase
        let english: String
        let german: String

        init(_ phrase: Phrase, _ english: String, _ german: String) {
            (self.phrase, self.english, self.german) = (phrase, english, german)
        }

        var testDescription: String { english }
    }

    @Test(
        arguments: money + distances + measures + waits + [
            Sample(
                .sentences([.nameMissing, .passwordMissing]), "Enter your name. Enter a password.",
                "Gib deinen Namen ein. Gib ein Passwort ein."),
            Sample(.verbatim("Café \"Zur Rose\""), "Café \"Zur Rose\"", "Café \"Zur Rose\""),
            Sample(.to("Manly", metres: 10_600), "To Manly, 11 km as the crow flies.", "Nach Manly, 11 km Luftlinie."),
            Sample(
                .driverIsComing("Skippy", minutes: 4), "Skippy is on the way to you, 4 min to go.",
                "Skippy ist auf dem Weg zu dir, noch 4 min."),
            Sample(
                .driverIsComing(nil, minutes: nil), "A kangaroo is on the way to you.",
                "Ein Känguru ist auf dem Weg zu dir."),
            Sample(.onTheWay(minutes: 12), "You are on your way, 12 min to go.", "Du bist unterwegs, noch 12 min."),
            Sample(
                .driver("Skippy", rating: 4.5, metres: 1_234), "Skippy, 4.5 of 5 stars, 1.2 km away.",
                "Skippy, 4,5 von 5 Sternen, noch 1,2 km entfernt."),
            Sample(.driver("Skippy", rating: 5, metres: nil), "Skippy, 5 of 5 stars.", "Skippy, 5 von 5 Sternen."),
            Sample(
                .rideBy("Wallaby", fare: Money(1_250, .eur)), "Ride by Wallaby for EUR 12.50",
                "Mit Wallaby für 12,50 €"),
        ])
    func `a phrase is exactly this in each language`(_ sample: Sample) {
        #expect(words(.english, sample.phrase) == sample.english)
        #expect(words(.german, sample.phrase) == sample.german)
    }

    /// A space is a space to the reader, whether or not a line may break there.
    private func words(_ language: Language, _ phrase: Phrase) -> String {
        language.text(phrase).replacing("\u{a0}", with: " ").replacing("\u{202f}", with: " ")
    }

    private static func price(_ amount: Int64, _ currency: String) -> Phrase {
        Currency(code: currency).map { .price(Money(amount, $0)) } ?? .verbatim("no such currency")
    }

    private static let money = [
        Sample(price(1_250, "AUD"), "$12.50", "12,50 AU$"), Sample(price(0, "AUD"), "$0.00", "0,00 AU$"),
        Sample(price(5, "AUD"), "$0.05", "0,05 AU$"), Sample(price(-995, "AUD"), "-$9.95", "-9,95 AU$"),
        Sample(price(123_456_789, "EUR"), "EUR 1,234,567.89", "1.234.567,89 €"),
        // A currency without minor units, and one with three decimal places.
        Sample(price(1_250, "JPY"), "JPY 1,250", "1.250 ¥"),
        Sample(price(1_250, "JOD"), "JOD 1.250", "1,250 JOD"),
        // No floating point: 2 to the power of 53, and 1.
        Sample(price(9_007_199_254_740_993, "AUD"), "$90,071,992,547,409.93", "90.071.992.547.409,93 AU$"),
        Sample(.costs(Money(1_250, .eur)), "It costs EUR 12.50.", "Sie kostet 12,50 €."),
    ]

    private static let distances = [
        Sample(.distance(0), "0 m", "0 m"), Sample(.distance(4), "0 m", "0 m"),
        Sample(.distance(846), "850 m", "850 m"),
        Sample(.distance(994), "990 m", "990 m"), Sample(.distance(996), "1 km", "1 km"),
        Sample(.distance(4_249), "4.2 km", "4,2 km"), Sample(.distance(9_949), "9.9 km", "9,9 km"),
        Sample(.distance(9_960), "10 km", "10 km"), Sample(.distance(12_345_678), "12,346 km", "12.346 km"),
    ]

    private static let measures = [
        Sample(.weight(62_500), "up to 62.5 kg", "bis 62,5 kg"), Sample(.weight(20_000), "up to 20 kg", "bis 20 kg"),
        Sample(.riders(3), "for 3", "für 3"), Sample(.rating(4.26), "4.3 of 5 stars", "4,3 von 5 Sternen"),
        Sample(.coordinates(GeoPoint(latitude: -33.868, longitude: 151.2)), "33.87° S, 151.2° E", "33,87° S, 151,2° O"),
        Sample(.coordinates(GeoPoint(latitude: 51.5, longitude: -0.126)), "51.5° N, 0.13° W", "51,5° N, 0,13° W"),
        Sample(.near("Manly Beach"), "near Manly Beach", "nahe Manly Beach"),
    ]

    private static let waits = [
        (Int?.none, "in a while", "später noch einmal"), (1, "in 1 second", "in 1 Sekunde noch einmal"),
        (30, "in 30 seconds", "in 30 Sekunden noch einmal"), (119, "in 119 seconds", "in 119 Sekunden noch einmal"),
        (120, "in 2 minutes", "in 2 Minuten noch einmal"), (121, "in 3 minutes", "in 3 Minuten noch einmal"),
        (3_600, "in 60 minutes", "in 60 Minuten noch einmal"),
    ].flatMap { seconds, english, german in
        [
            Sample(
                .serverBusy(seconds: seconds), "The service is busy. Try again \(english).",
                "Der Dienst ist ausgelastet. Versuche es \(german)."),
            Sample(
                .tooManyAttempts(seconds: seconds), "Too many attempts. Try again \(english).",
                "Das waren zu viele Versuche. Versuche es \(german)."),
        ]
    }

    /// One of each phrase that has words of Koober's own. The values in them are spelled alike in both languages.
    private static let phrases: [Phrase] = [
        .weight(20_000), .riders(2), .rating(4), .near("Manly"), .kooberIsRides, .welcome, .signIn, .signUp,
        .newAccount, .email, .password, .mobileNumber, .passwordRule, .signingIn, .creatingAccount, .nameMissing,
        .emailMissing, .passwordMissing, .profile, .showProfile, .close, .signOut, .signingOut, .starting, .whereAreYou,
        .findingLocation, .whereTo, .searching, .noPlaceFound, .placesNotLoaded, .cancel, .whichKangaroo,
        .lookingForRides, .noRidesOffered, .ridesNotLoaded, .somewhereElse, .to("Manly", metres: 500),
        .rideBy("Wallaby", fare: Money(500, .eur)), .yourRide, .requestingRide, .costs(Money(500, .eur)),
        .lookingForKangaroo, .cancelRide, .cancellingRide, .startNewRide, .askToCancelRide, .cancelIt, .keepIt,
        .noUpdate, .offline, .rideRequested, .driverIsComing("Skippy", minutes: 5), .driverIsComing(nil, minutes: nil),
        .driverIsClose("Skippy"), .driverIsClose(nil), .onTheWay(minutes: 5), .onTheWay(minutes: nil), .arrived,
        .cancelledByYou, .cancelledByDriver("Skippy"), .cancelledByDriver(nil), .noKangarooFree, .unknownRideStatus,
        .driver("Skippy", rating: 4, metres: 500), .driver("Skippy", rating: 4, metres: nil), .pickup, .dropoff,
        .somethingWentWrong, .tryAgain, .signInFailed, .signUpFailed, .sessionUnreadable, .sessionUnreadableAdvice,
        .signedOut, .sessionEndedAdvice, .signedOutHereOnly, .sessionNotSaved, .sessionNotDeleted, .placesNotFound,
        .optionsNotFound, .ridesNotFound, .rideNotFollowed, .rideNotRequested, .rideNotCancelled, .rideMaybeRequested,
        .rideMaybeRequestedAdvice, .rideMaybeCancelled, .rideMaybeCancelledAdvice, .wrongCredentials, .emailTaken,
        .tooManyAttempts(seconds: nil), .tooManyAttempts(seconds: 5), .serverBusy(seconds: nil),
        .serverBusy(seconds: 5), .notSignedIn, .sessionEnded, .forbidden, .notFound, .rideInProgress, .quoteExpired,
        .notCancellable, .unreachable, .untrustedServer, .wrongProtocol, .timedOut, .serverFailed, .unreadableAnswer,
        .deviceStorage, .choose, .next, .move, .back, .leave, .stay, .askToLeave, .step(5, of: 9), .forward, .export,
        .present, .exported("log.json"), .notExported,
    ]

    @Test(arguments: phrases)
    func `German has words of its own for everything, with the same values and the same end`(_ phrase: Phrase) {
        let (english, german) = (Language.english.text(phrase), Language.german.text(phrase))
        #expect(english != german)
        for text in [english, german] {
            #expect(text == text.trimmingCharacters(in: .whitespaces) && !text.contains("  ") && !text.isEmpty)
            #expect(!text.contains("nil") && !text.contains("Optional("))
        }
        let marks: Set<Character> = [".", "?", "!"]
        #expect(marks.contains(english.last ?? " ") == marks.contains(german.last ?? " "))
        for name in ["Skippy", "Manly", "Wallaby", "log.json", "5"] {
            #expect(english.contains(name) == german.contains(name))
        }
    }

    @Test func `only a name and a short word are the same in both languages`() {
        for phrase in [Phrase.name, .ok] { #expect(Language.english.text(phrase) == Language.german.text(phrase)) }
    }
}
