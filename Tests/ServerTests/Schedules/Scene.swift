import Testing

/// Players who meet.
struct Scene: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let players: [Player]
    /// How many things go wrong at most.
    let faults: Int

    init(_ name: String, _ players: [Player], faults: Int) {
        testDescription = name
        self.players = players
        self.faults = faults
    }

    /// Whether the order is there from the beginning.
    var beginsPaid: Bool { !players.contains(where: \.buys) }

    /// Whether the cart is paid for.
    var checksOut: Bool {
        players.contains {
            if case .checkout = $0 { true } else { false }
        }
    }
}
