/// Something that happens again and again, whatever the technology behind it.
@MainActor
public protocol EventSource<Event> {
    associatedtype Event

    /// Tells what happens from now on; a source of states tells the present one first, before this returns. Does not
    /// own the subscription.
    func attach(_ subscription: Subscription<Event>)
}
