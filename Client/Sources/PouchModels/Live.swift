import Observation
import PouchManagers

/// The latest value of a manager's sequence, for views that observe it:
///
///     @State private var cart: Live<CartState?>
///
///     init(_ pouch: Pouch) {
///         _cart = State(initialValue: Live(pouch.cart.state) { pouch.cart.states() })
///     }
///
///     var body: some View {
///         Text("\(cart.value?.cart.unitCount ?? 0)")
///             .task { await cart.follow() }
///     }
@MainActor @Observable
public final class Live<Value: Sendable> {
    public private(set) var value: Value
    /// The reason why the sequence failed; nil while it continues, and after a regular end.
    public private(set) var failure: DataError?

    @ObservationIgnored private let receive: @MainActor (_ use: (Value) -> Void) async throws -> Void

    /// - Parameters:
    ///   - value: the value before the first element arrives.
    ///   - values: creates the sequence; called by each `follow`.
    public init<Values: AsyncSequence & Sendable>(
        _ value: Value, _ values: @escaping @Sendable () async -> Values
    ) where Values.Element == Value {
        self.value = value
        receive = { use in
            for try await value in await values() { use(value) }
        }
    }

    /// Receives values until the task is cancelled or the sequence ends. A sequence that refreshes a value does so only
    /// while this runs.
    public func follow() async {
        failure = nil
        do {
            try await receive { value = $0 }
        } catch let error as DataError {
            if error.reason != .cancelled { failure = error }
        } catch is CancellationError {
        } catch {
            failure = DataError(.unexpected(code: nil), log: "\(error)")
        }
    }
}
