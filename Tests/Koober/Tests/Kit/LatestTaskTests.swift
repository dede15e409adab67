import ClientTesting
import KooberKit
import PouchTesting
import Testing

/// Work that new work replaces: `LatestTask`, on which all three architectures rest.
@MainActor @Suite(.timeLimit(.minutes(5)))
struct LatestTaskTests {
    /// The owner of work, which records its results.
    @MainActor private final class Owner {
        let task = LatestTask()
        var results: [Int] = []

        /// Waits at the gate, which a cancelled task passes at once, and then reports.
        func waits(at gate: Gate, for result: Int) {
            task.run(for: self) { current in
                await gate.pass()
                current()?.results.append(result)
            }
        }
    }

    private let gate = Gate()
    private let owner = Owner()

    @Test func `work reports to its owner, in a later turn`() async throws {
        owner.task.run(for: owner) { $0()?.results.append(1) }
        #expect(owner.results.isEmpty)
        try await eventually { owner.results == [1] }
    }

    @Test func `new work drops the result of the earlier, and cancels it`() async throws {
        owner.waits(at: gate, for: 1)
        await gate.held()
        owner.task.run(for: owner) { $0()?.results.append(2) }
        // The gate is closed still: only its cancellation lets the earlier work go on.
        try await eventually { owner.results == [2] }
        await turnsPass()
        #expect(owner.results == [2])
    }

    @Test func `work that is replaced in the turn that starts it never begins`() async throws {
        var begun: [Int] = []
        for number in 1...3 { owner.task.run(for: owner) { _ in begun.append(number) } }
        try await eventually { !begun.isEmpty }
        await turnsPass()
        #expect(begun == [3])
    }

    @Test func `cancelled work reports nothing, and its owner can start other work`() async throws {
        owner.waits(at: gate, for: 1)
        await gate.held()
        owner.task.cancel()
        gate.open()
        await turnsPass()
        #expect(owner.results.isEmpty)
        owner.waits(at: gate, for: 2)
        try await eventually { owner.results == [2] }
    }

    @Test func `work does not hold its owner, and ends with it`() async throws {
        weak var released: Owner?
        let ended = Counter()
        do {
            let owner = Owner()
            released = owner
            owner.task.run(for: owner) { [gate] current in
                await gate.pass()
                #expect(current() == nil)
                ended.increment()
            }
            await gate.held()
            #expect(released != nil)
        }
        #expect(released == nil)
        // The gate is closed still.
        try await eventually { ended.value == 1 }
    }
}
