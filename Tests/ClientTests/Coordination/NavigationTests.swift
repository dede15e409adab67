import PouchCoordination
import PouchTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct NavigationTests {
    private let surface = RecordingSurface()
    private let root: RecordingCoordinator
    private let home: PlainScreen

    init() throws {
        root = RecordingCoordinator(on: ScreenStack(on: surface))
        root.start()
        home = try #require(root.showScreens().first)
    }

    private var stack: ScreenStack { root.stack }

    private func child() -> RecordingCoordinator { root.started(RecordingCoordinator(on: stack)) }

    private func isShown(_ screens: [any Screen]) -> Bool {
        surface.screens.map(ObjectIdentifier.init) == screens.map(ObjectIdentifier.init)
            && stack.screens.map(ObjectIdentifier.init) == screens.map(ObjectIdentifier.init)
    }

    // MARK: Back navigation, as in issues 7, 11, 19, 21, 22, 30 of the original

    @Test func `back navigation notifies the coordinator of the removed screen`() {
        root.showScreens()
        surface.goBack()
        #expect(isShown([home]))
        #expect(root.events.last == "pop 1")
    }

    @Test func `back navigation by several screens notifies each coordinator once`() {
        root.showScreens()
        let child = child()
        child.showScreens(3)
        surface.goBack(4)
        #expect(isShown([home]))
        #expect(!child.isStarted && root.children.isEmpty && child.parent == nil && root.isActive)
        #expect(root.events.filter { $0.hasPrefix("pop") } == ["pop 1"])
        #expect(root.events.filter { $0 == "child finished" }.count == 1)
    }

    @Test func `a back gesture that was given up changes nothing`() {
        let child = child()
        let screens = child.showScreens(2)
        surface.goBackAndGiveUp()
        #expect(isShown([home] + screens))
        #expect(child.events == ["start", "activate"])
    }

    @Test func `two coordinators share a stack, their screens in any order`() throws {
        let child = child()
        let (first, second) = (child.showScreens()[0], PlainScreen())
        root.show(second)
        let third = child.showScreens()[0]
        #expect(isShown([home, first, second, third]))
        surface.goBack(2)
        #expect(isShown([home, first]))
        #expect(child.isStarted && child.isActive)
        #expect(child.events.contains("pop 1") && root.events.contains("pop 1"))
        surface.goBack()
        #expect(!child.isStarted)
    }

    @Test func `a screen that is shown during back navigation stays`() {
        let popped = root.showScreens()[0]
        surface.goBack()
        let next = PlainScreen()
        root.show(next)
        // The surface reports late, with the screens that it shows by now.
        surface.userDidGoBack?(surface.screens)
        #expect(isShown([home, next]))
        #expect(!stack.screens.contains { $0 === popped })
    }

    // MARK: Changes by coordinators

    @Test func `a coordinator that pops screens notifies the others, and not itself`() {
        let lower = root.showScreens()[0]
        let child = child()
        child.showScreens(2)
        root.showScreens()
        root.pop(to: lower)
        #expect(isShown([home, lower]))
        #expect(!child.isStarted)
        #expect(!root.events.contains { $0.hasPrefix("pop") })
    }

    @Test func `a coordinator can pop to its own screen`() {
        let other = child()
        let screens = other.showScreens(2)
        let child = child()
        child.showScreens(2)
        other.popToOwn()
        #expect(isShown([home] + screens))
        #expect(!child.isStarted && other.isActive)
    }

    @Test func `popping to the own screen ends the flows on stacks above`() {
        let child = child()
        let screens = child.showScreens(2)
        let lower = root.startedFlow()
        let upper = lower.startedFlow(screens: 2)
        root.showScreens()
        child.popToOwn()
        #expect(surface.presented == nil)
        #expect(!lower.isStarted && !upper.isStarted)
        #expect(isShown([home] + screens))
        #expect(child.isActive && !root.isActive)
    }

    @Test func `screens are replaced in one step`() {
        let child = child()
        child.showScreens(3)
        let (shows, next) = (surface.shows, PlainScreen())
        child.show(only: [next])
        #expect(isShown([home, next]))
        #expect(surface.shows == shows + 1)
        #expect(child.isStarted && child.events == ["start", "activate"])
    }

    @Test func `a coordinator pops its highest screen`() {
        let child = child()
        let screens = child.showScreens(2)
        child.pop()
        #expect(isShown([home, screens[0]]))
    }

    // MARK: Activity

    @Test func `only the coordinator of the top screen is active`() async {
        let child = child()
        child.showScreens()
        #expect(child.isActive && !root.isActive)
        let work = WaitingWork()
        child.whileActive { await work.run() }
        await work.hasBegun()
        root.showScreens()
        #expect(root.isActive && !child.isActive)
        #expect(await work.wasCancelled() == true)
        surface.goBack()
        #expect(child.events == ["start", "activate", "deactivate", "activate"])
        #expect(root.events.suffix(2) == ["deactivate", "pop 1"] || root.events.suffix(2) == ["pop 1", "deactivate"])
    }

    @Test func `a coordinator that restarts at once is active again`() async throws {
        let child = child()
        child.onStart = { [unowned child] in child.showScreens() }
        child.showScreens()
        root.onChildFinish = { [unowned root] in root.start(child) }
        let work = WaitingWork()
        child.whileActive { await work.run() }
        await work.hasBegun()
        surface.goBack()
        #expect(child.isStarted && child.isActive)
        #expect(child.events == ["start", "activate", "deactivate", "start", "activate"])
        #expect(await work.wasCancelled() == true)
    }

    @Test func `stopping the whole tree activates no coordinator`() {
        let middle = child()
        middle.showScreens()
        _ = root.startedFlow()
        root.stop()
        #expect(middle.events == ["start", "activate", "deactivate"])
        #expect(root.events == ["start", "activate", "deactivate"])
        #expect(surface.presented == nil)
    }

    // MARK: Presented surfaces

    @Test func `a presented flow covers the others from its first screen to its last`() throws {
        let child = RecordingCoordinator(on: stack.present())
        root.start(child)
        #expect(surface.presented == nil)
        let screens = child.showScreens(2)
        #expect(surface.presented?.screens.count == 2)
        #expect(child.isActive && !root.isActive)
        surface.presented?.goBack()
        #expect(child.screens.count == 1 && child.screens[0] === screens[0])
        child.finish()
        #expect(surface.presented == nil)
        #expect(root.isActive)
        root.start(child)
        child.showScreens()
        #expect(surface.presented?.screens.count == 1)
    }

    @Test func `dismissal by the user finishes the flow and the flows above`() throws {
        let lower = root.startedFlow(screens: 2)
        let upper = lower.startedFlow()
        #expect(surface.presented?.presented?.screens.count == 1)
        #expect(upper.isActive)
        try #require(surface.presented).goBack(2)
        #expect(!lower.isStarted && !upper.isStarted)
        #expect(root.isActive && surface.presented == nil)
        #expect(isShown([home]))
    }

    @Test func `a flow that stops removes the surfaces above`() throws {
        let (lower, upper) = (root.startedFlow(), root.startedFlow())
        lower.stop()
        #expect(surface.presented == nil)
        #expect(!upper.isStarted && root.isActive)
    }

    @Test func `changes below a surface activate no coordinator there`() {
        let child = root.startedFlow()
        root.showScreens()
        #expect(child.isActive && !root.isActive)
        child.stop()
        #expect(root.isActive)
    }
}
