/// What happened in a run.
actor Counts {
    struct Values: Sendable {
        var requests = 0
        /// Requests whose connection broke before the answer.
        var unanswered = 0
        var journeys = 0
        var shopKills = 0
        var providerKills = 0
        var replays = 0
        var charges = 0
        var refunds = 0
        var orders = 0
        var statuses: [String: Int] = [:]

        var answered: Int { requests - unanswered }
    }

    private(set) var values = Values()

    func add(_ path: any WritableKeyPath<Values, Int> & Sendable, _ count: Int = 1) {
        values[keyPath: path] += count
    }

    func add(outcome: String) {
        values.statuses[outcome, default: 0] += 1
    }
}
