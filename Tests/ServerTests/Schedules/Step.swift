/// What a player of a model is about to do.
struct Step {
    /// How it may go, the usual way first.
    let moves: [Move]
    /// The parts of the world that it looks at, or changes.
    let reads: Set<Part>
    let writes: Set<Part>

    enum Part { case database, provider, clock }

    enum Move {
        case go
        /// The process ends before it.
        case crash
        /// What is sent does not arrive, and no answer comes.
        case lostRequest
        /// It arrives and has its effect, but no answer comes.
        case lostAnswer
        /// No answer comes; it arrives at some later time.
        case late
        /// The provider refuses.
        case failed
        case declined

        /// Whether it is one of the faults that a model has only so many of.
        var isFault: Bool { self != .go && self != .declined }
    }

    /// A transaction, with what is reckoned before and after it.
    static let write = Step(moves: [.go, .crash], reads: [.clock], writes: [.database])
    static let charge = Step(
        moves: [.go, .declined, .failed, .lostRequest, .lostAnswer, .late, .crash], reads: [.clock],
        writes: [.provider])
    static let ask = Step(moves: [.go, .lostRequest, .lostAnswer, .crash], reads: [.clock], writes: [.provider])
    static let refund = Step(
        moves: [.go, .failed, .lostRequest, .lostAnswer, .late, .crash], reads: [.clock], writes: [.provider])
    static let arrival = Step(moves: [.go], reads: [], writes: [.provider])
    static let look = Step(moves: [.go], reads: [.database], writes: [.clock])
    static let wait = Step(moves: [.go], reads: [], writes: [.clock])
}

/// A step of a player in one of the ways that it may go.
struct Transition {
    let player: Int
    let move: Step.Move
    let step: Step

    /// Whether it makes no difference which of the two comes first.
    func commutes(with other: Transition) -> Bool {
        player != other.player && !(move.isFault && other.move.isFault)
            && step.writes.isDisjoint(with: other.step.reads.union(other.step.writes))
            && step.reads.isDisjoint(with: other.step.writes)
    }
}
