/// Tells any number of subscribers of something in the app. None of them is kept alive by it.
@MainActor
public final class Broadcaster<Event>: EventSource {
    @MainActor
    private struct Subscriber {
        weak var subscription: Subscription<Event>?

        var isGone: Bool { subscription?.isCancelled ?? true }
    }

    private var subscribers: [Subscriber] = []
    private var waiting: [Event] = []
    private var isBroadcasting = false
    /// What is being told, or was told last; nil before the first.
    private(set) var latest: Event?

    public init() {}

    public func attach(_ subscription: Subscription<Event>) {
        subscribers.append(Subscriber(subscription: subscription))
    }

    /// Every subscriber hears of all events in the same order: one that is broadcast while another is being told waits
    /// until everybody has heard that.
    public func broadcast(_ event: Event) {
        waiting.append(event)
        guard !isBroadcasting else { return }
        isBroadcasting = true
        while !waiting.isEmpty {
            let event = waiting.removeFirst()
            latest = event
            subscribers.removeAll { $0.isGone }
            for subscriber in subscribers { subscriber.subscription?.deliver(event) }
        }
        isBroadcasting = false
    }
}
