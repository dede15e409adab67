import Foundation
import PouchEntities

/// Records the events of the app, without names, places and prices. It subscribes to the broadcaster next to the main
/// controller, and neither knows the other.
@MainActor
final class Analytics {
    private let observer: EventObserver<AppEvent>
    private let write: @MainActor (String) -> Void
    private let now: @MainActor () -> Date

    /// - Parameter write: receives a line for each event.
    init(
        events: Broadcaster<AppEvent>, now: @escaping @MainActor () -> Date = { Date() },
        write: @escaping @MainActor (String) -> Void
    ) {
        self.write = write
        self.now = now
        observer = EventObserver(events)
        observer.deliver(to: self) { $0.received($1) }
        observer.startObserving()
    }

    private func received(_ event: AppEvent) {
        write("\(now().formatted(.iso8601)) \(event.line)")
    }
}

extension AppEvent {
    fileprivate var line: String {
        switch self {
        case .signedIn: "signed-in"
        case .sessionEnded: "session-ended"
        case .signedOut: "signed-out"
        case .rideRequested(let id, let option): "ride-requested \(id) \(option)"
        case .rideEnded(let id, let status): "ride-ended \(id) \(status.rawValue)"
        }
    }
}
