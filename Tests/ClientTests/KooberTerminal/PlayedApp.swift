import KooberScreens

/// An app whose screens come as the test has written them down.
@MainActor
final class PlayedApp: KooberApp {
    private(set) var screen: KooberScreen?
    /// All that was wanted and offered.
    private(set) var intentions: [Intention] = []
    private let launch: [KooberScreen]
    private let answer: @MainActor (Intention) -> [KooberScreen]
    private var listeners: [AsyncStream<KooberScreen>.Continuation] = []

    /// - Parameters:
    ///   - launch: what is shown at the start, one screen after another.
    ///   - answer: what is shown after an intention.
    init(_ launch: KooberScreen..., answer: @escaping @MainActor (Intention) -> [KooberScreen] = { _ in [] }) {
        self.launch = launch
        self.answer = answer
    }

    var isFollowed: Bool { !listeners.isEmpty }

    func screens() -> AsyncStream<KooberScreen> {
        let (screens, listener) = AsyncStream.makeStream(of: KooberScreen.self)
        if let screen { listener.yield(screen) }
        listeners.append(listener)
        return screens
    }

    func start() { launch.forEach(show) }

    func show(_ screen: KooberScreen) {
        guard screen != self.screen else { return }
        self.screen = screen
        for listener in listeners { listener.yield(screen) }
    }

    func perform(_ intention: Intention) throws(UnofferedIntention) {
        guard screen?.offers(intention) == true else { throw UnofferedIntention(intention, on: screen) }
        intentions.append(intention)
        answer(intention).forEach(show)
    }
}
