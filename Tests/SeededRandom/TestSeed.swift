import Foundation

/// The seed of tests with random steps.
public enum TestSeed {
    /// 1, so that a failure is that of the change; POUCH_SEED replaces it, as `make test-all` does.
    public static let first = ProcessInfo.processInfo.environment["POUCH_SEED"].flatMap(UInt64.init) ?? 1
}
