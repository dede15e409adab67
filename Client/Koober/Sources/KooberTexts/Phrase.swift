import PouchEntities

/// A text for the user, as its meaning and its values. `Language` puts it into words when it is shown.
///
/// Screens, errors and states hold phrases, so that none of them depends on a language, and tests compare meanings. A
/// phrase without words in a language does not compile.
public enum Phrase: Codable, Hashable, Sendable {
    /// Words that are not Koober's: a name, or a text of the service.
    case verbatim(String)
    case sentences([Phrase])

    // MARK: Values

    /// An amount, which the language formats with its currency.
    case price(Money)
    /// In metres; rounded.
    case distance(Double)
    /// In grams.
    case weight(Int)
    case riders(Int)
    /// Of 5 stars.
    case rating(Double)
    /// A location without a nearby name.
    case coordinates(GeoPoint)
    /// A location that is close to a place with this name.
    case near(String)

    // MARK: Account

    case kooberIsRides
    case welcome, signIn, signUp, newAccount
    case name, email, password, mobileNumber
    case passwordRule
    case signingIn, creatingAccount
    case nameMissing, emailMissing, passwordMissing
    case profile, close, signOut, signingOut

    // MARK: Ride

    case starting, whereAreYou, findingLocation
    case whereTo, searching, noPlaceFound, placesNotLoaded, cancel
    case whichKangaroo, lookingForRides, noRidesOffered, ridesNotLoaded, somewhereElse
    case to(String, metres: Double)
    /// The button that confirms an option.
    case rideBy(String, fare: Money)
    case yourRide, requestingRide
    case costs(Money)
    case lookingForKangaroo, cancelRide, cancellingRide, startNewRide
    case askToCancelRide, cancelIt, keepIt
    case noUpdate, offline

    /// The state of a ride.
    case rideRequested
    case driverIsComing(String?, minutes: Int?)
    case driverIsClose(String?)
    case onTheWay(minutes: Int?)
    case arrived, cancelledByYou
    case cancelledByDriver(String?)
    case noKangarooFree, unknownRideStatus
    /// - Parameter metres: to the pick-up; nil unless the driver is on the way there.
    case driver(String, rating: Double, metres: Double?)

    // MARK: Map

    case pickup, dropoff

    // MARK: Errors

    case somethingWentWrong, tryAgain
    case signInFailed, signUpFailed
    case sessionUnreadable, sessionUnreadableAdvice
    case signedOut, sessionEndedAdvice, signedOutHereOnly
    case sessionNotSaved, sessionNotDeleted
    case placesNotFound, optionsNotFound, ridesNotFound, rideNotFollowed
    case rideNotRequested, rideNotCancelled
    case rideMaybeRequested, rideMaybeRequestedAdvice
    case rideMaybeCancelled, rideMaybeCancelledAdvice

    case wrongCredentials, emailTaken
    /// Each of these includes advice on what to do.
    case tooManyAttempts(seconds: Int?)
    case serverBusy(seconds: Int?)
    case notSignedIn, sessionEnded, forbidden, notFound
    case rideInProgress, quoteExpired, notCancellable
    case unreachable, untrustedServer, wrongProtocol, timedOut, serverFailed, unreadableAnswer
    case deviceStorage

    // MARK: Window

    case ok, choose, next, move, back, leave, stay
    /// The key that shows the profile.
    case showProfile
    case askToLeave

    // MARK: Time travel

    case step(Int, of: Int)
    case forward, export, present
    case exported(String), notExported
}
