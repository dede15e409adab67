/// Carries a value out of a closure that may run anywhere.
actor Box<Value: Sendable> {
    private(set) var value: Value?

    func set(_ value: Value?) {
        self.value = value
    }
}
