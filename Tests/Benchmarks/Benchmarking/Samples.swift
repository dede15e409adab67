extension [Double] {
    public var median: Double { sorted()[count / 2] }

    /// Of values in order.
    public func percentile(_ percent: Int) -> Double {
        isEmpty ? 0 : self[Swift.min(count - 1, count * percent / 100)]
    }
}
