import Foundation
import KooberScreens
import KooberTerminal
import PouchEntities
import PouchTerminal
import PouchTesting
import Testing

/// A terminal with an app whose screens the test provides.
@MainActor
final class WindowUnderTest {
    let app: PlayedApp
    let clock = ManualClock()
    let departures = Counter()
    private let redraws = Counter()
    private let window: KooberWindow
    private let following: Task<Void, Never>
    private var size: TerminalSize

    init(_ app: PlayedApp = PlayedApp(), columns: Int = 80, rows: Int = 24) {
        self.app = app
        size = TerminalSize(columns: columns, rows: rows)
        window = KooberWindow(
            app, clock: clock, redraw: { [redraws] in redraws.increment() },
            quit: { [departures] in departures.increment() })
        following = Task { [window] in await window.follow() }
    }

    deinit {
        following.cancel()
    }

    /// Waits until the window has the screen.
    func show(_ screen: KooberScreen) async throws {
        // A window that starts to follow later would miss screens.
        try await eventually { app.isFollowed }
        let before = redraws.value
        app.show(screen)
        try await eventually { redraws.value > before }
    }

    /// Waits until the window shows the text.
    func see(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        do {
            try await eventually { self.text.contains(text) }
        } catch {
            Issue.record("waited for “\(text)”, but saw\n\(self.text)", sourceLocation: sourceLocation)
            throw error
        }
    }

    func resize(columns: Int, rows: Int) { size = TerminalSize(columns: columns, rows: rows) }

    var canvas: Canvas {
        var canvas = Canvas(size)
        window.draw(on: &canvas)
        return canvas
    }

    var lines: [String] { canvas.lines }
    var text: String { lines.joined(separator: "\n") }

    func press(_ keys: Key...) {
        for key in keys {
            _ = lines
            window.press(key)
        }
    }

    func type(_ text: String) {
        for character in text { press(.character(character)) }
    }
}

/// An app that shows the screens that the test provides.
@MainActor
final class PlayedApp: KooberApp {
    private(set) var screen: KooberScreen?
    /// The intentions that were offered and performed.
    private(set) var intentions: [Intention] = []
    private let launch: [KooberScreen]
    private let answer: @MainActor (Intention) -> [KooberScreen]
    private var listeners: [AsyncStream<KooberScreen>.Continuation] = []

    /// - Parameters:
    ///   - launch: the screens at the start, one after another.
    ///   - answer: the screens after an intention.
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

/// Places, rides and screens in Sydney.
enum Sydney {
    static let centre = GeoPoint(latitude: -33.8688, longitude: 151.2093)
    static let bondi = NamedLocation(name: "Bondi Beach", location: GeoPoint(latitude: -33.8908, longitude: 151.2743))
    static let junction = NamedLocation(
        name: "Bondi Junction", location: GeoPoint(latitude: -33.8912, longitude: 151.2475))

    static let options = RideOptionPicker(segments: [
        .init(id: "wallaby", title: "Wallaby", fare: Money(1050, .eur), capacity: 1),
        .init(id: "kangaroo", title: "Kangaroo", fare: Money(1820, .eur), capacity: 3),
    ])

    static func picked(_ id: String) -> RideOptionPicker {
        var picker = options
        picker.segments = picker.segments.map { segment in
            var segment = segment
            segment.isSelected = segment.id == id
            return segment
        }
        return picker
    }

    static func pickMeUp(_ step: PickMeUpScreen.Step, to dropoff: NamedLocation? = nil) -> KooberScreen {
        KooberScreen(.pickMeUp(PickMeUpScreen(pickupLocation: centre, dropoffLocation: dropoff, step: step)))
    }

    static func ride(_ status: RideStatus, _ driver: GeoPoint? = nil, eta: Int? = nil) -> Ride {
        Ride(
            id: "rid_1", status: status,
            waypoints: RideWaypoints(pickupLocation: centre, dropoffLocation: bondi.location),
            rideOptionID: "kangaroo", fare: Money(1820, .eur),
            driver: driver.map { Ride.Driver(name: "Skippy", rating: 4.5, location: $0) }, etaSeconds: eta,
            createdAt: Date.sample, history: [])
    }

    static func waiting(_ ride: Ride, isCancelling: Bool = false) -> KooberScreen {
        KooberScreen(.waitingForPickup(WaitingScreen(ride: ride, isCancelling: isCancelling)))
    }
}
