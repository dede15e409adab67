/// What is being read into the data of screens. Of several readings into the same, the one that began last counts, in
/// whatever order they end.
@MainActor
struct Readings {
    struct Slot: Hashable {
        let screen: ObjectIdentifier
        let data: AnyKeyPath

        init(_ data: AnyKeyPath, of screen: Any) {
            self.screen = ObjectIdentifier(screen as AnyObject)
            self.data = data
        }
    }

    private var latest: [Slot: Int] = [:]
    private var count = 0

    /// - Returns: the reading's number.
    mutating func begin(_ slot: Slot) -> Int {
        count += 1
        latest[slot] = count
        return count
    }

    func isLatest(_ number: Int, of slot: Slot) -> Bool { latest[slot] == number }

    mutating func end(_ number: Int, of slot: Slot) {
        if isLatest(number, of: slot) { giveUp(slot) }
    }

    /// What is being read there does not count any more.
    mutating func giveUp(_ slot: Slot) {
        latest[slot] = nil
    }
}
