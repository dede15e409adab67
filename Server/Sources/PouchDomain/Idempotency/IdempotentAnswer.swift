/// An answer, and whether it repeats an earlier one.
public struct IdempotentAnswer: Sendable {
    public let answer: StoredAnswer
    public let isReplay: Bool
}
