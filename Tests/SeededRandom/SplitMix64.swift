import Foundation

/// A random number generator with a seed, so that a failing case or a whole run can be repeated.
public struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    public init(seed: UInt64) {
        state = seed
    }

    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }

    /// Returns true with the given probability in percent.
    public mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}

/// The seed of tests with random steps.
public enum TestSeed {
    /// 1, so that a failure is that of the change; POUCH_SEED replaces it, as `make test-all` does.
    public static let first = ProcessInfo.processInfo.environment["POUCH_SEED"].flatMap(UInt64.init) ?? 1
}
