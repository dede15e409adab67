/// What is booked under a key, and whether it was booked before.
struct Booked<Entry: Sendable>: Sendable {
    let entry: Entry
    let isReplay: Bool
}
