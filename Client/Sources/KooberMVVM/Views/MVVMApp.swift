import KooberKit
import KooberScreens

/// Koober in MVVM.
@MainActor
public final class MVVMApp: KooberApp {
    private let container: KooberAppDependencyContainer
    private let streams = ScreenStreams()
    private var window: Window?

    public init(model: any KooberModelFactory) {
        container = KooberAppDependencyContainer(model: model)
    }

    public var screen: KooberScreen? { window?.screen }

    public func screens() -> AsyncStream<KooberScreen> {
        streams.stream(from: screen)
    }

    public func start() {
        guard window == nil else { return }
        window = Window(root: container.makeMainViewController(), show: streams.show)
    }

    public func perform(_ intention: Intention) throws(UnofferedIntention) {
        guard let window, window.screen.offers(intention) else { throw UnofferedIntention(intention, on: screen) }
        do {
            try window.perform(intention)
        } catch {
            throw UnofferedIntention(intention, on: screen)
        }
    }
}
