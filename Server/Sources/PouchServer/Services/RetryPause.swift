/// How long something that failed is left alone: twice as long with each time in a row.
struct RetryPause {
    private static let shortest = Duration.milliseconds(250)
    private static let longest = Duration.seconds(5)

    private var last: Duration?

    /// The pause after one more failure.
    mutating func next() -> Duration {
        let pause = last.map { min($0 * 2, Self.longest) } ?? Self.shortest
        last = pause
        return pause
    }
}
