extension Ride {
    /// What is left of the way as people are told it: in whole minutes, of which one that has begun counts.
    public var etaMinutes: Int? { etaSeconds.map(wholeMinutes) }
}

extension FareQuote {
    /// How long the trip takes as people are told it: in whole minutes, of which one that has begun counts.
    public var etaMinutes: Int { wholeMinutes(etaSeconds) }
}

/// At least one.
private func wholeMinutes(_ seconds: Int) -> Int { max(1, seconds / 60 + (seconds % 60 > 0 ? 1 : 0)) }
