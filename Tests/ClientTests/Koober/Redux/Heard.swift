/// What a subscriber was told, in order.
@MainActor
final class Heard<Value> {
    private(set) var values: [Value] = []

    func hear(_ value: Value) {
        values.append(value)
    }
}
