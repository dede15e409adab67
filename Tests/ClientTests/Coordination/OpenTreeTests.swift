import PouchCoordination
import PouchTesting
import Testing

/// Trees with different dependencies.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct JoinedTreeTests {
    private struct House: Sendable {
        var greetings: Greetings?
        var rooms = 1
    }

    private final class HouseCoordinator: NavigationCoordinator<House> {
        private(set) var finished: [ObjectIdentifier] = []

        override func registerHandlers() {
            super.registerHandlers()
            handle(SayGoodbye.self) { house, _ in "\(try house.needed(\.greetings?.farewell)) from the house" }
        }

        override func coordinatorDidFinish(_ child: Coordinator<House>) {
            finished.append(ObjectIdentifier(child))
            super.coordinatorDidFinish(child)
        }
    }

    private let surface = RecordingSurface()
    private let house: HouseCoordinator

    init() {
        house = HouseCoordinator(on: ScreenStack(on: surface))
        house.start()
        house.show(PlainScreen())
    }

    /// The root of an inner tree.
    private func guest() -> RecordingCoordinator {
        let guest = RecordingCoordinator(on: house.stack)
        house.start(guest) { $0.greetings }
        return guest
    }

    @Test func `a root starts below a coordinator with another dependency, which is converted at each change`() {
        house.dependency = House(greetings: Greetings(hello: "Hello"))
        let guest = guest()
        let leaf = RecordingCoordinator(on: house.stack)
        guest.start(leaf)
        house.dependency = House(greetings: Greetings(hello: "Good day"))
        house.dependency = House()
        #expect(guest.greetings == ["Hello", "Good day", nil])
        #expect(leaf.greetings == ["Hello", "Good day", nil])
        #expect(guest.isStarted && house.children.count == 1)
    }

    @Test func `an inner root that changes the outer dependency when it starts gets the new one, once`() {
        house.dependency = House(greetings: Greetings(hello: "Hello"))
        let guest = RecordingCoordinator(on: house.stack)
        guest.onStart = { [house] in house.dependency = House(greetings: Greetings(hello: "Good day")) }
        house.start(guest) { $0.greetings }
        #expect(guest.dependency?.hello == "Good day" && guest.greetings == ["Good day"])
        let early = RecordingCoordinator(on: house.stack)
        house.dependency = nil
        early.onStart = guest.onStart
        house.start(early) { $0.greetings }
        #expect(early.greetings == ["Good day"] && early.events == ["start"])
    }

    @Test func `an inner root that stops because of a change stays stopped`() {
        house.dependency = House(greetings: Greetings(hello: "Hello"))
        let guest = guest()
        guest.onDependency = { [weak guest] in guest?.stop() }
        house.dependency = House()
        #expect(!guest.isStarted && guest.events == ["start"] && house.children.isEmpty)
    }

    @Test func `messages wait for a dependency, and go up from the inner tree to the outer one`() async throws {
        let guest = GreetingCoordinator(on: house.stack)
        house.start(guest) { $0.greetings }
        let screen = try #require(guest.showScreens().first)
        let greeting = Task { try await screen.send(Greet("Ada")) }
        await guest.tried(1)
        house.dependency = House(greetings: Greetings(hello: "Hello", farewell: "Bye"))
        #expect(try await greeting.value == "Hello Ada")
        let other = RecordingCoordinator(on: house.stack)
        house.start(other) { $0.greetings }
        #expect(try await other.send(SayGoodbye(to: "Bea")) == "Bye from the house")
    }

    @Test func `an inner root that finishes leaves the outer tree, which is notified of its place`() {
        let guest = RecordingCoordinator(on: house.stack)
        let place = house.start(guest) { $0.greetings }
        guest.showScreens(2)
        surface.goBack(2)
        #expect(!guest.isStarted && house.children.isEmpty)
        #expect(house.finished == [ObjectIdentifier(place)])
        house.start(guest) { $0.greetings }
        guest.showScreens()
        house.stop()
        #expect(!guest.isStarted && guest.coordinatingResponder == nil)
        guest.start()
        guest.stop()
        #expect(!guest.isStarted)
    }

    @Test func `an inner root that is stopped, or started elsewhere, leaves no place behind`() {
        let guest = guest()
        guest.stop()
        #expect(house.children.isEmpty)
        house.start(guest) { $0.greetings }
        house.start(guest) { _ in nil }
        #expect(house.children.count == 1 && guest.isStarted)
        let root = RecordingCoordinator(on: house.stack)
        root.start()
        root.start(guest)
        #expect(house.children.isEmpty && guest.parent === root)
    }

    @Test func `no coordinator starts below itself, through trees with other dependencies either`() {
        let guest = guest()
        guest.start(house) { _ in House() }
        #expect(guest.children.isEmpty && house.isStarted && guest.isStarted)
    }

    @Test func `a branch with an inner tree is deallocated`() {
        weak var gone: RecordingCoordinator?
        weak var place: Coordinator<House>?
        do {
            let guest = RecordingCoordinator(on: house.stack.present())
            place = house.start(guest) { $0.greetings }
            guest.showScreens()
            gone = guest
        }
        #expect(gone != nil && place != nil)
        surface.presented?.goBack()
        #expect(gone == nil && place == nil)
    }
}

/// Stacks next to each other: tabs and columns.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct GroupTests {
    private let root = RecordingCoordinator(on: ScreenStack(on: RecordingSurface()))

    private func sections(on stacks: [ScreenStack]) -> [RecordingCoordinator] {
        root.start()
        return stacks.map { stack in
            let section = root.started(RecordingCoordinator(on: stack))
            section.showScreens()
            return section
        }
    }

    @Test func `only the coordinator of the visible tab is active, and another is as soon as its tab is chosen`() {
        let tabs = RecordingGroup(2)
        let sections = sections(on: NavigationGroup(on: tabs).stacks)
        #expect(sections[0].isActive && !sections[1].isActive)
        sections[1].showScreens()
        #expect(tabs.recorded[1].screens.count == 2)
        #expect(sections[1].events == ["start"])
        tabs.userShows([1])
        #expect(!sections[0].isActive && sections[1].isActive)
        #expect(sections[0].events == ["start", "activate", "deactivate"])
        sections[0].stack.reveal()
        #expect(tabs.visible == [0] && sections[0].isActive && !sections[1].isActive)
        #expect(sections[0].stack.topScreen === sections[0].screens.last)
        #expect(sections[1].stack.topScreen === sections[0].screens.last)
    }

    @Test func `both columns of a split view are active, and one when there is room for one only`() {
        let split = RecordingGroup(2, visible: [0, 1])
        let sections = sections(on: NavigationGroup(on: split).stacks)
        #expect(sections.allSatisfy { $0.isActive })
        split.userShows([1])
        #expect(!sections[0].isActive && sections[1].isActive)
        split.userShows([0, 1])
        #expect(sections[1].events == ["start", "activate"])
        #expect(sections[0].events == ["start", "activate", "deactivate", "activate"])
        #expect(sections[1].stack.topScreen === sections[1].screens.last)
    }

    @Test func `a presented stack covers all tabs, from the surface that is visible, until it is revealed below`() {
        let tabs = RecordingGroup(2, visible: [1])
        let sections = sections(on: NavigationGroup(on: tabs).stacks)
        let flow = sections[0].startedFlow()
        #expect(tabs.recorded[0].presented == nil && tabs.recorded[1].presented != nil)
        #expect(flow.isActive && !sections[0].isActive && !sections[1].isActive)
        tabs.userShows([0])
        #expect(flow.isActive && !sections[0].isActive)
        sections[1].stack.reveal()
        #expect(!flow.isStarted && tabs.recorded[1].presented == nil)
        #expect(sections[1].isActive && tabs.visible == [1])
    }

    @Test func `revealing a stack ends the flows over it, whose coordinators are notified as for back navigation`() {
        let surface = RecordingSurface()
        let owner = sections(on: [ScreenStack(on: surface)])[0]
        let (lower, upper) = (owner.startedFlow(), owner.startedFlow())
        lower.stack.reveal()
        #expect(!upper.isStarted && lower.isActive)
        owner.stack.reveal()
        #expect(!lower.isStarted && owner.isActive && surface.presented == nil)
        #expect(owner.events.filter { $0 == "child finished" }.count == 2)
    }

    @Test func `stacks keep their group, also when the first of them is dropped`() throws {
        let tabs = RecordingGroup(3)
        let stacks = Array(NavigationGroup(on: tabs).stacks.dropFirst())
        let sections = sections(on: stacks)
        #expect(!sections[0].isActive && !sections[1].isActive && stacks[0].topScreen == nil)
        tabs.userShows([1])
        #expect(sections[0].isActive && !sections[1].isActive)
        sections[1].stack.reveal()
        #expect(tabs.visible == [2] && !sections[0].isActive && sections[1].isActive)
        let flow = sections[0].startedFlow()
        #expect(flow.isActive && !sections[1].isActive && tabs.recorded[2].presented != nil)
        tabs.userShows([0])
        flow.stop()
        #expect(!sections[0].isActive && !sections[1].isActive && tabs.recorded[2].presented == nil)
    }

    @Test func `a group that stops leaves no coordinator active, and deallocates its stacks`() {
        weak var stack: ScreenStack?
        weak var group: NavigationGroup?
        do {
            let tabs = RecordingGroup(2)
            let made = NavigationGroup(on: tabs)
            (stack, group) = (made.stacks[1], made)
            let sections = sections(on: made.stacks)
            root.stop()
            #expect(sections.allSatisfy { !$0.isActive && !$0.isStarted })
        }
        #expect(stack == nil && group == nil)
    }
}
