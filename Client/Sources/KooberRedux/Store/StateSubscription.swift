/// That somebody observes a state; ends when it is let go of.
@MainActor
public final class StateSubscription {
    private var onUpdate: (@MainActor (StateSubscription) -> Void)?

    init(onUpdate: @escaping @MainActor (StateSubscription) -> Void) {
        self.onUpdate = onUpdate
    }

    func update() {
        onUpdate?(self)
    }

    /// Nothing is told from now on, also not of a state of which others are just being told.
    public func cancel() {
        onUpdate = nil
    }
}
