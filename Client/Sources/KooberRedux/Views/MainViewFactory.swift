import PouchEntities

@MainActor
protocol MainViewFactory {
    func makeLaunchView() -> any StateView
    func makeOnboardingView() -> any StateView
    func makeSignedInView(scope: SerialNumber, userSession: UserSession) -> any StateView
}
