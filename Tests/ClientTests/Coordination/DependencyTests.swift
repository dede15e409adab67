import PouchCoordination
import Testing

@MainActor
struct DependencyTests {
    private let stack = NavigationStack(on: RecordingSurface())

    @Test func `each change flows to every started child, however deep, through those that ignore it`() {
        let root = RecordingCoordinator(on: stack)
        let ignorant = Coordinator<Greetings>()
        let (leaf, late) = (RecordingCoordinator(on: stack), RecordingCoordinator(on: stack))
        root.start()
        root.start(ignorant)
        ignorant.start(leaf)
        #expect(leaf.greetings.isEmpty)
        root.dependency = Greetings(hello: "Hello")
        ignorant.start(late)
        root.dependency = Greetings(hello: "Good day")
        #expect(leaf.greetings == ["Hello", "Good day"])
        #expect(late.greetings == ["Hello", "Good day"])
        leaf.stop()
        root.dependency = Greetings(hello: "Hi")
        #expect(leaf.greetings == ["Hello", "Good day"])
        #expect(late.greetings.last == "Hi")
    }

    @Test func `a coordinator that was stopped gets the latest when it starts again`() {
        let (root, child) = (RecordingCoordinator(on: stack), RecordingCoordinator(on: stack))
        root.dependency = Greetings(hello: "Hello")
        root.start()
        root.start(child)
        child.stop()
        root.dependency = Greetings(hello: "Good day")
        root.start(child)
        #expect(child.greetings == ["Hello", "Good day"])
    }

    @Test func `a coordinator that makes its dependency when it starts hears of it once`() {
        let (root, child) = (RecordingCoordinator(on: stack), RecordingCoordinator(on: stack))
        root.onStart = { [unowned root] in
            root.start(child)
            root.dependency = Greetings(hello: "Hello")
        }
        root.start()
        #expect(root.greetings == ["Hello"])
        #expect(child.greetings == ["Hello"])
        root.stop()
        root.start()
        #expect(root.greetings.count == 2)
    }

    @Test func `one that hears of it may stop another, or change it again`() {
        let (root, first, second) = (
            RecordingCoordinator(on: stack), RecordingCoordinator(on: stack), RecordingCoordinator(on: stack)
        )
        root.start()
        root.start(first)
        root.start(second)
        first.onDependency = { [unowned root, unowned first] in
            first.onDependency = nil
            second.stop()
            root.dependency = Greetings(hello: "Good day")
        }
        root.dependency = Greetings(hello: "Hello")
        #expect(second.greetings.isEmpty)
        #expect(first.greetings.last == "Good day")
        #expect(first.dependency?.hello == "Good day")
    }
}
