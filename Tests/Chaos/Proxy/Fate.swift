import SeededRandom

/// What becomes of one request on its way to the server and back.
public enum Fate: String, CaseIterable, Sendable {
    case delivered
    /// The connection ends before the server hears of the request.
    case droppedBefore
    /// The server does its work; the connection ends without an answer.
    case droppedAfter
    /// The connection ends in the middle of the answer.
    case truncated
    case delayed
    /// The server gets the request twice, as from a proxy that tries again; the later answer comes back.
    case duplicated
    /// The request waits until one that came after it was answered, or for a while.
    case overtaken
    /// Something between answers in the server's place, in HTML.
    case intercepted

    /// - Parameter harm: how many of a hundred requests do not simply arrive.
    static func drawn(harm: Int, from random: inout SplitMix64) -> Fate {
        guard Int.random(in: 0..<100, using: &random) < harm else { return .delivered }
        return allCases.dropFirst().randomElement(using: &random) ?? .delivered
    }
}
