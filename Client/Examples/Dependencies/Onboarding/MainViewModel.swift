import PouchEntities

/// What is shown of the whole app. There is one in a process.
@MainActor
public final class MainViewModel: SignedInResponder, NotSignedInResponder {
    public private(set) var view = MainView.launching {
        didSet { onChange?(view) }
    }
    public var onChange: ((MainView) -> Void)?

    public init() {}

    public func signedIn(to userSession: UserSession) { view = .signedIn(userSession) }
    public func notSignedIn() { view = .onboarding }
}
