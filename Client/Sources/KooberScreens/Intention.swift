import PouchEntities

/// What a user can want.
public enum Intention: Hashable, Sendable {
    case goToSignUp
    case goToSignIn
    /// To the screen before, by the means of the system: a button, a gesture, a key.
    case goBack
    case signIn(email: String, password: Secret)
    case signUp(name: String, email: String, mobileNumber: String, password: Secret)
    /// Where to?
    case chooseDropoff
    case searchDropoffs(String)
    /// The name of a result that is shown.
    case selectDropoff(String)
    case cancelDropoff
    /// The id of an option that is shown.
    case selectRideOption(String)
    case confirmRide
    case cancelRide
    case startNewRide
    case showProfile
    case closeProfile
    case signOut
    /// The error was read.
    case acknowledgeError
}
