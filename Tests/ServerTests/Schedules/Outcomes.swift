import PouchDomain

/// What became of the players.
actor Outcomes {
    private(set) var all: [(player: Player, result: Result<StoredAnswer?, any Error>)] = []

    func add(_ player: Player, _ result: Result<StoredAnswer?, any Error>) {
        all.append((player, result))
    }
}
