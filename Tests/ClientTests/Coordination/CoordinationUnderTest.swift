import PouchCoordination
import PouchTesting

/// The dependency of the tests' coordinators.
struct Greetings: Sendable {
    var hello: String?
    var farewell: String?
}

struct Greet: Message {
    typealias Answer = String
    let name: String

    init(_ name: String) { self.name = name }
}

struct SayGoodbye: Message {
    typealias Answer = String
    let to: String
}

/// A part of a screen.
@MainActor
final class PlainView: Responder {
    weak var coordinatingResponder: (any Responder)?
}

@MainActor
final class PlainScreen: Screen {
    weak var coordinatingResponder: (any Responder)?
}

extension Coordinator {
    /// Starts a child and returns it.
    func started<Child: Coordinator<Dependency>>(_ child: Child) -> Child {
        start(child)
        return child
    }
}

/// Holds an object weakly.
final class Weak {
    weak var object: AnyObject?

    init(_ object: AnyObject) { self.object = object }
}

/// Work that waits until the test asks whether it was cancelled.
@MainActor
final class WaitingWork {
    private let gate = Gate()
    private let (ends, end) = AsyncStream.makeStream(of: Bool.self)

    func run() async {
        await gate.pass()
        end.yield(Task.isCancelled)
    }

    /// Returns when the work waits.
    func hasBegun() async { await gate.held(1) }

    /// Ends the work.
    func wasCancelled() async -> Bool? {
        gate.open()
        var ended = ends.makeAsyncIterator()
        return await ended.next()
    }
}

/// Records its notifications.
@MainActor
class RecordingCoordinator: NavigationCoordinator<Greetings> {
    private(set) var greetings: [String?] = []
    private(set) var events: [String] = []
    var onStart: (() -> Void)?
    var onActivate: (() -> Void)?
    var onDependency: (() -> Void)?
    var onChildFinish: (() -> Void)?

    override func didStart() {
        events.append("start")
        onStart?()
    }

    override func didActivate() {
        events.append("activate")
        onActivate?()
    }

    override func didDeactivate() { events.append("deactivate") }
    override func didPop(_ screens: [any Screen]) { events.append("pop \(screens.count)") }

    override func dependencyDidChange() {
        greetings.append(dependency?.hello)
        onDependency?()
    }

    override func coordinatorDidFinish(_ child: Coordinator<Greetings>) {
        events.append("child finished")
        super.coordinatorDidFinish(child)
        onChildFinish?()
    }

    @discardableResult
    func showScreens(_ count: Int = 1) -> [PlainScreen] {
        let screens = (0..<count).map { _ in PlainScreen() }
        for screen in screens { show(screen) }
        return screens
    }

    /// Starts a flow on a surface of its own, with screens.
    func startedFlow(screens count: Int = 1) -> RecordingCoordinator {
        let flow = started(RecordingCoordinator(on: stack.present()))
        flow.showScreens(count)
        return flow
    }
}

/// Handles greetings as soon as its dependency exists.
final class GreetingCoordinator: RecordingCoordinator {
    /// The names of all attempts.
    private(set) var tries: [String] = []
    private(set) var greeted: [String] = []
    var onGreet: (() async throws -> Void)?
    private var watchers: [(count: Int, turn: CheckedContinuation<Void, Never>)] = []

    override func registerHandlers() {
        super.registerHandlers()
        handle(Greet.self) { try await $0.greet($1.name) }
        handle(SayGoodbye.self) { "\(try $0.needed(\.farewell)) \($1.to)" }
    }

    private func greet(_ name: String) async throws -> String {
        tries.append(name)
        for watcher in watchers where watcher.count <= tries.count { watcher.turn.resume() }
        watchers.removeAll { $0.count <= tries.count }
        let hello = try needed(\.hello)
        try await onGreet?()
        greeted.append(name)
        return "\(hello) \(name)"
    }

    /// Waits for that number of attempts.
    func tried(_ count: Int) async {
        guard tries.count < count else { return }
        await withCheckedContinuation { watchers.append((count, $0)) }
    }
}
