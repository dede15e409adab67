import ClientTesting
import KooberScreens
import Observation
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct SubscriptionTests {
    private let cycle = UpdateCycle()
    private let model = Model()

    /// Follows the value as long as the returned object lives.
    private func follow<Value: Equatable>(_ value: @escaping @MainActor () -> Value) -> Received<Value> {
        let seen = Received<Value>()
        seen.keep(cycle.subscribe(to: value) { [weak seen] in seen?.append($0) })
        return seen
    }

    @Test func `a subscription receives the value now, and after each change`() {
        let seen = follow { model.first }
        #expect(seen.values == [0])
        for value in 1...3 {
            model.first = value
            #expect(seen.values.count == value)
            cycle.flush()
        }
        #expect(seen.values == [0, 1, 2, 3])
    }

    @Test func `changes are delivered at the end of the turn without a flush`() async throws {
        let seen = follow { model.first }
        for value in 1...3 {
            model.first = value
            try await eventually { seen.values.last == value }
        }
        #expect(seen.values == [0, 1, 2, 3])
    }

    @Test func `changes within one turn are one change, and cost one delivery`() async throws {
        var ends = 0
        let seen = follow { model.first + model.second }
        cycle.onEnd = { ends += 1 }
        for value in 1...5 {
            model.first = value
            model.second = 10 * value
        }
        #expect(seen.values == [0])
        try await eventually { ends > 0 }
        await turnsPass()
        #expect(seen.values == [0, 55])
        #expect(ends == 1)
    }

    @Test func `a value that is the same again is not repeated`() {
        let seen = follow { model.first > 5 }
        for value in [1, 2, 6, 7, 6, 0] {
            model.first = value
            cycle.flush()
        }
        // There and back within one turn.
        model.first = 9
        model.first = 0
        cycle.flush()
        #expect(seen.values == [false, true, false])
    }

    @Test func `a property that the value does not use is not followed`() async {
        var computed = 0
        let seen = follow {
            computed += 1
            return model.first
        }
        model.second = 7
        cycle.flush()
        await turnsPass()
        #expect(computed == 1)
        model.first = 1
        cycle.flush()
        #expect(computed == 2 && seen.values == [0, 1])
    }

    @Test func `a value follows what it uses now`() {
        let seen = follow { model.first == 0 ? -1 : model.second }
        model.second = 1
        cycle.flush()
        #expect(seen.values == [-1])
        model.first = 1
        cycle.flush()
        model.second = 2
        cycle.flush()
        #expect(seen.values == [-1, 1, 2])
    }

    @Test func `earlier subscriptions learn of a change first, in any order of the changed properties`() {
        var order: [String] = []
        let subscriptions = [
            cycle.subscribe(to: { model.second }, receive: { _ in order.append("parent") }),
            cycle.subscribe(to: { model.first }, receive: { _ in order.append("child") }),
            cycle.subscribe(to: { model.second }, receive: { _ in order.append("grandchild") }),
        ]
        order = []
        model.first = 1
        model.second = 1
        cycle.flush()
        #expect(order == ["parent", "child", "grandchild"])
        withExtendedLifetime(subscriptions) {}
    }

    @Test func `a child that its parent removes because of a change does not learn of it`() {
        var childSaw: [Int] = []
        var child: Subscription?
        let parent = cycle.subscribe(to: { model.first }) { _ in child = nil }
        child = cycle.subscribe(to: { model.first }, receive: { childSaw.append($0) })
        model.first = 1
        cycle.flush()
        #expect(child == nil)
        #expect(childSaw == [0])
        withExtendedLifetime(parent) {}
    }

    @Test func `a child that its parent makes within a delivery shows the present value, once`() {
        var childSaw: [Int] = []
        var child: Subscription?
        let parent = cycle.subscribe(to: { model.first }) { value in
            guard value == 1 else { return }
            child = cycle.subscribe(to: { model.first * 10 }, receive: { childSaw.append($0) })
        }
        model.first = 1
        cycle.flush()
        #expect(childSaw == [10])
        model.first = 2
        cycle.flush()
        #expect(childSaw == [10, 20])
        withExtendedLifetime((parent, child)) {}
    }

    @Test func `a change within a delivery belongs to it, and a flush within it does not nest`() {
        var order: [String] = []
        var ends = 0
        cycle.onEnd = { ends += 1 }
        let subscriptions = [
            cycle.subscribe(to: { model.second }, receive: { order.append("second \($0)") }),
            cycle.subscribe(to: { model.first }) { value in
                order.append("first \(value)")
                model.second = value
                cycle.flush()
                order.append("end of first \(value)")
            },
            cycle.subscribe(to: { model.first + model.second }, receive: { order.append("sum \($0)") }),
        ]
        (order, ends) = ([], 0)
        model.first = 3
        cycle.flush()
        // The sum is never shown half way, with 3 and 0.
        #expect(order == ["first 3", "end of first 3", "second 3", "sum 6"])
        #expect(ends == 1)
        withExtendedLifetime(subscriptions) {}
    }

    @Test(arguments: [true, false])
    func `a released or cancelled subscription ends, even with a change under way`(_ isReleased: Bool) async {
        var seen: [Int] = []
        var subscription: Subscription? = cycle.subscribe(to: { model.first }, receive: { seen.append($0) })
        model.first = 1
        if isReleased { subscription = nil } else { subscription?.cancel() }
        cycle.flush()
        model.first = 2
        await turnsPass()
        #expect(seen == [0])
        withExtendedLifetime(subscription) {}
    }

    @Test func `a subscription does not hold the cycle, and outlives it without effect`() async {
        var seen: [Int] = []
        var cycle: UpdateCycle? = UpdateCycle()
        weak let released = cycle
        let subscription = cycle?.subscribe(to: { model.first }, receive: { seen.append($0) })
        cycle = nil
        #expect(released == nil)
        model.first = 1
        await turnsPass()
        #expect(seen == [0])
        withExtendedLifetime(subscription) {}
    }

    @Test func `a flush without changes ends a turn, and delivers nothing`() {
        let seen = follow { model.first }
        var ends = 0
        cycle.onEnd = { ends += 1 }
        for _ in 1...2 { cycle.flush() }
        #expect(seen.values.count == 1 && ends == 2)
    }
}

@MainActor
@Observable
private final class Model {
    var first = 0
    var second = 0
}
