import PouchEntities

extension Language {
    func english(_ phrase: Phrase) -> String {
        switch phrase {
        case .verbatim(let words): words
        case .sentences(let sentences): sentences.map(english).joined(separator: " ")

        case .price(let money): text(money)
        case .distance(let metres): text(metres: metres)
        case .weight(let grams): "up to \(text(grams: grams))"
        case .riders(let count): "for \(count)"
        case .rating(let stars): "\(number(stars, places: 1)) of 5 stars"
        case .coordinates(let point): text(point, north: "N", south: "S", east: "E", west: "W")
        case .near(let place): "near \(place)"

        case .kooberIsRides: "Rides by kangaroo, all over Sydney."
        case .welcome: "Welcome"
        case .signIn: "Sign in"
        case .signUp: "Create an account"
        case .newAccount: "New account"
        case .name: "Name"
        case .email: "E-mail"
        case .password: "Password"
        case .mobileNumber: "Mobile number"
        case .passwordRule: "The password must have 8 to 128 characters. The mobile number is optional."
        case .signingIn: "Signing in"
        case .creatingAccount: "Creating the account"
        case .nameMissing: "Enter your name."
        case .emailMissing: "Enter your e-mail address."
        case .passwordMissing: "Enter a password."
        case .profile: "Profile"
        case .close: "Close"
        case .signOut: "Sign out"
        case .signingOut: "Signing out"

        case .starting: "Starting"
        case .whereAreYou: "Where are you?"
        case .findingLocation: "Finding your location"
        case .whereTo: "Where to?"
        case .searching: "Searching"
        case .noPlaceFound: "No matching places."
        case .placesNotLoaded: "The places could not be loaded. Search again."
        case .cancel: "Cancel"
        case .whichKangaroo: "Which kangaroo?"
        case .lookingForRides: "Looking for kangaroos"
        case .noRidesOffered: "No rides are available from here right now."
        case .ridesNotLoaded: "The rides could not be loaded. Choose the destination again."
        case .somewhereElse: "Somewhere else"
        case .to(let place, let metres): "To \(place), \(text(metres: metres)) as the crow flies."
        case .rideBy(let animal, let fare): "Ride by \(animal) for \(text(fare))"
        case .yourRide: "Your ride"
        case .requestingRide: "Requesting the ride"
        case .costs(let fare): "It costs \(text(fare))."
        case .lookingForKangaroo: "Looking for a kangaroo"
        case .cancelRide: "Cancel the ride"
        case .cancellingRide: "Cancelling the ride"
        case .startNewRide: "Start a new ride"
        case .askToCancelRide: "Cancel the ride?"
        case .cancelIt: "cancel it"
        case .keepIt: "keep it"
        case .noUpdate: "No update for a while"
        case .offline: "Offline"

        case .rideRequested: "Your ride is requested."
        case .driverIsComing(let name, let minutes): "\(kangaroo(name)) is on the way to you\(toGo(minutes))."
        case .driverIsClose(let name): "\(kangaroo(name)) is almost there."
        case .onTheWay(let minutes): "You are on your way\(toGo(minutes))."
        case .arrived: "You have arrived. Thank you for riding with us!"
        case .cancelledByYou: "You cancelled the ride."
        case .cancelledByDriver(let name): "\(kangaroo(name)) cancelled, and no other kangaroo was available."
        case .noKangarooFree: "No kangaroo is available right now."
        case .unknownRideStatus: "This version of Koober does not recognise your ride's status. Please update it."
        case .driver(let name, let stars, let metres):
            "\(name), \(english(.rating(stars)))\(metres.map { ", \(text(metres: $0)) away" } ?? "")."

        case .pickup: "Pick-up"
        case .dropoff: "Drop-off"

        case .somethingWentWrong: "Something went wrong"
        case .tryAgain: "Please try again."
        case .signInFailed: "Sign-in failed"
        case .signUpFailed: "Sign-up failed"
        case .sessionUnreadable: "Your session cannot be read"
        case .sessionUnreadableAdvice: "Your session on this device is damaged or locked. Please sign in again."
        case .signedOut: "You were signed out"
        case .sessionEndedAdvice: "Your session ended. Please sign in again."
        case .signedOutHereOnly: "Signed out on this device only"
        case .sessionNotSaved: "You will not stay signed in"
        case .sessionNotDeleted: "Your session is still stored on this device"
        case .placesNotFound: "Places could not be loaded"
        case .optionsNotFound: "Ride options could not be loaded"
        case .ridesNotFound: "Your rides could not be loaded"
        case .rideNotFollowed: "Your ride cannot be followed"
        case .rideNotRequested: "Your ride was not requested"
        case .rideNotCancelled: "Your ride was not cancelled"
        case .rideMaybeRequested: "Your ride may have been requested"
        case .rideMaybeRequestedAdvice:
            "Confirm again to find out; you get at most one ride. Otherwise the app tries again when it next starts."
        case .rideMaybeCancelled: "Your ride may have been cancelled"
        case .rideMaybeCancelledAdvice:
            "The result appears here as soon as it arrives. Cancel again if the ride continues."

        case .wrongCredentials: "The e-mail address or password is wrong. Check both, or create an account."
        case .emailTaken: "This e-mail address already has an account. Sign in, or use another address."
        case .tooManyAttempts(let seconds): "Too many attempts. \(tryAgain(after: seconds))"
        case .serverBusy(let seconds): "The service is busy. \(tryAgain(after: seconds))"
        case .notSignedIn: "You are not signed in. Sign in and try again."
        case .sessionEnded: "Your session has ended. Sign in and try again."
        case .forbidden: "You do not have permission to do this. Sign in with an account that has permission."
        case .notFound: "Not found. Start again."
        case .rideInProgress: "You already have a ride in progress. Wait until it ends, or cancel it."
        case .quoteExpired: "The fare has expired. Choose the ride again."
        case .notCancellable: "The ride can no longer be cancelled."
        case .unreachable: "The service cannot be reached. Check the connection, then try again."
        case .untrustedServer: "The service's certificate is not trusted. Check the address before you continue."
        case .wrongProtocol: "The service is not available at this address and port. Check the address."
        case .timedOut: "The service did not answer in time. Try again."
        case .serverFailed: "Something went wrong on the server. Try again later."
        case .unreadableAnswer:
            "The service sent an unexpected response. Check whether the network requires a sign-in; then try again."
        case .deviceStorage: "This device could not store the data. Free some space, then try again."

        case .ok: "OK"
        case .choose: "choose"
        case .next: "next"
        case .move: "move"
        case .back: "back"
        case .leave: "leave"
        case .stay: "stay"
        case .showProfile: "profile"
        case .askToLeave: "Leave Koober?"

        case .step(let step, let last): "Step \(step) of \(last)"
        case .forward: "forward"
        case .export: "export"
        case .present: "present"
        case .exported(let file): "Exported to \(file)."
        case .notExported: "The file could not be written."
        }
    }

    private func kangaroo(_ name: String?) -> String { name ?? "A kangaroo" }

    private func toGo(_ minutes: Int?) -> String { minutes.map { ", \($0) min to go" } ?? "" }

    private func tryAgain(after seconds: Int?) -> String {
        guard let seconds else { return "Try again in a while." }
        return "Try again in \(wait(seconds, second: "second", seconds: "seconds", minutes: "minutes"))."
    }
}
