import SeededRandom
import Synchronization

/// Chooses the fates of requests, one after the other as they arrive, as a seed says; and counts them.
public final class ChaosPlan: Sendable {
    private struct State {
        var random: SplitMix64
        var harm: Int
        var counts: [Fate: Int] = [:]
    }

    private let state: Mutex<State>

    /// - Parameter harm: how many of a hundred requests do not simply arrive.
    public init(seed: UInt64, harm: Int) {
        state = Mutex(State(random: SplitMix64(seed: seed), harm: harm))
    }

    public var counts: [Fate: Int] { state.withLock { $0.counts } }

    /// From now on everything arrives.
    public func calm() {
        state.withLock { $0.harm = 0 }
    }

    /// - Returns: the fate, and a wait for those that need one, in milliseconds.
    func next() -> (fate: Fate, wait: Int) {
        state.withLock { state in
            let fate = Fate.drawn(harm: state.harm, from: &state.random)
            state.counts[fate, default: 0] += 1
            return (fate, Int.random(in: 1...25, using: &state.random))
        }
    }
}
