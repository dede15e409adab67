/// Gives each number once. It is no part of the state, so that going back in time makes none come again.
@MainActor
public final class SerialNumbers {
    private var last = 0

    public init() {}

    public func next() -> SerialNumber {
        last += 1
        return SerialNumber(last)
    }
}
