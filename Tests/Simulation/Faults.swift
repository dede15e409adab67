import SeededRandom

/// The faults of a run.
enum Fault: Int, CaseIterable, Sendable {
    // A server and its database
    case crashBeforeCommit, crashAfterCommit, crashAnytime, overload, unavailable, fullDisk, commitLost, commitUnknown,
        repeatedBody
    // Messages to the payment provider
    case lostRequest, lostAnswer, lateRequest, doubledRequest, refusal, providerAway
    // Messages of buyers and administrators
    case lostMessage, doubledMessage, disconnect
    // The clock
    case clockForward, clockBack, night
}

/// The frequency of each fault in one run.
///
/// Each run has other faults, and some have none of a kind: faults that always come together hide the errors of each.
struct FaultRates {
    /// Per mille of the occasions.
    private var rates: [Int]

    private static let most: [Fault: Int] = [
        .crashBeforeCommit: 15, .crashAfterCommit: 15, .crashAnytime: 60, .overload: 20, .unavailable: 20,
        .fullDisk: 15, .commitLost: 15, .commitUnknown: 15, .repeatedBody: 100, .lostRequest: 120, .lostAnswer: 120,
        .lateRequest: 120, .doubledRequest: 150, .refusal: 80, .providerAway: 30, .lostMessage: 100,
        .doubledMessage: 250, .disconnect: 100, .night: 100, .clockForward: 500, .clockBack: 200,
    ]

    /// A run without faults.
    static let none = FaultRates(rates: Fault.allCases.map { _ in 0 })

    private init(rates: [Int]) { self.rates = rates }

    init(_ random: inout SplitMix64) {
        // Few runs have all faults, many have a few kinds.
        let share = [10, 30, 60, 90].randomElement(using: &random) ?? 50
        rates = Fault.allCases.map { fault in
            random.chance(share) ? Int.random(in: 1...(Self.most[fault] ?? 10), using: &random) : 0
        }
    }

    subscript(fault: Fault) -> Int { rates[fault.rawValue] }
}

/// A fault of the shop or the provider that is put in on purpose, to show that the simulation finds it.
enum Plant: String, CaseIterable, Sendable {
    /// One of ten releases of held units does nothing.
    case hold
    /// The provider pays a repeated refund again, one time of two.
    case refund
    /// One of ten records of requests with a key is not stored.
    case key
    /// One of ten mails and webhooks counts as taken, and is lost.
    case message
}
