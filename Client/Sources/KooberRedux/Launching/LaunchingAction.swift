/// What happens until it is known who is signed in.
public enum LaunchingAction: Equatable, Sendable {
    case finishedLaunchingApp(AuthenticationState)
    case failed(ErrorToPresent)
    case finishedPresenting(ErrorToPresent.ID)
}
