import Foundation

/// A request with a key, and the answer that its sender got.
struct Acknowledged: Sendable {
    let method: String
    let path: String
    let body: Data?
    let key: String
    let answer: Attempts.Answer
    /// Who may ask again: the sender, or the account that took the sender's requests over.
    var buyer: BuyerSession?
}

/// What was promised to buyers, and what went wrong.
actor Record {
    private(set) var acknowledged: [Acknowledged] = []
    private(set) var violations: [String] = []

    func add(_ more: [Acknowledged]) {
        acknowledged += more
    }

    func report(_ violation: String) {
        violations.append(violation)
    }
}
