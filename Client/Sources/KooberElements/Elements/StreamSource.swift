/// An asynchronous sequence that is begun anew for each subscription.
@MainActor
public struct StreamSource<Stream: AsyncSequence>: EventSource {
    /// What is told of the sequence.
    public enum Event {
        case element(Stream.Element)
        /// With the error that ended it, if one did. Nothing follows.
        case ended((any Error)?)
    }

    private let makeStream: @MainActor () -> Stream

    public init(_ makeStream: @escaping @MainActor () -> Stream) {
        self.makeStream = makeStream
    }

    public func attach(_ subscription: Subscription<Event>) {
        let stream = makeStream()
        subscription.feed { [weak subscription] in
            do {
                for try await element in stream { subscription?.deliver(.element(element)) }
                subscription?.deliverLast(.ended(nil))
            } catch {
                subscription?.deliverLast(.ended(error))
            }
        }
    }
}
