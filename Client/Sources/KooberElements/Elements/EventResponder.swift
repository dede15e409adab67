/// Somebody who is told of events without being kept alive for them.
@MainActor
struct EventResponder<Event> {
    private weak var object: AnyObject?
    let receive: @MainActor (Event) -> Void

    init<Responder: AnyObject>(_ responder: Responder, _ receive: @escaping @MainActor (Responder, Event) -> Void) {
        object = responder
        self.receive = { [weak responder] event in
            if let responder { receive(responder, event) }
        }
    }

    var isGone: Bool { object == nil }
}
