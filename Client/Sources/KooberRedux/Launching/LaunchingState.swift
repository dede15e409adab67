/// Until it is known who is signed in.
public enum LaunchingState: Equatable, Sendable {
    case readingUserSession
    case failed(ErrorToPresent)

    var errorsToPresent: [ErrorToPresent] {
        switch self {
        case .readingUserSession: []
        case .failed(let error): [error]
        }
    }
}
