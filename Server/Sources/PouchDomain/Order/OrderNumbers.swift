import Foundation
import PouchEntities
import Synchronization

/// Order numbers, reserved in blocks, so that concurrent checkouts do not wait for each other. When a process is
/// killed, the rest of its block is skipped, unless a server then starts while no other is running (`recover`).
public final class OrderNumbers: Sendable {
    private static let block = 32
    private static let prefix = "P-"
    /// The maximum number of digits, which fit into 64 bits.
    private static let digits = 1...18

    private struct State {
        /// The free numbers, ascending.
        var free: [Int64] = []
        var refill: Task<Void, any Error>?
    }

    private let store: any Store
    private let state = Mutex(State())

    public init(store: any Store) {
        self.store = store
    }

    /// The number in the format of orders, such as `P-10001`.
    package static func text(_ number: Int64) -> String { prefix + String(number) }

    /// The number in a text in the format of orders.
    package static func value(of text: String) -> Int64? { Int64(text.dropFirst(prefix.count)) }

    /// The order number in a text such as `P-10001`, `p-10001`, `#P-10001` or `10001`, in the format of orders; nil for
    /// any other text.
    static func number(in text: String) -> String? {
        let text = text.trimmingCharacters(in: .whitespaces)
        let number = (text.hasPrefix("#") ? String(text.dropFirst()) : text).uppercased()
        let digits = number.hasPrefix(prefix) ? number.dropFirst(prefix.count) : number[...]
        guard Self.digits.contains(digits.utf8.count),
            digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return prefix + digits
    }

    /// Releases the numbers after the latest order. Called before a server starts, while no other is running. A gap of
    /// more than a few blocks stays, since a restore leaves one.
    public static func recover(in store: any Store) async throws {
        try await store.write { try $0.orders.returnNumbersAfterLatest(within: 16 * block) }
    }

    /// Returns the lowest free number; waits for a new block if none is free.
    ///
    /// - Throws: the store's error when no block can be reserved.
    func draw() async throws -> Int64 {
        while true {
            let (number, refill) = state.withLock { state -> (Int64?, Task<Void, any Error>?) in
                if !state.free.isEmpty { return (state.free.removeFirst(), nil) }
                let refill = state.refill ?? Task { try await self.reserve() }
                state.refill = refill
                return (nil, refill)
            }
            if let number { return number }
            try await refill?.value
        }
    }

    /// Releases a number that no order has used.
    func giveBack(_ number: Int64) {
        state.withLock { state in
            state.free.insert(number, at: state.free.firstIndex { $0 > number } ?? state.free.endIndex)
        }
    }

    /// Releases the rest of the block for the next start of a server, unless another server has reserved a later one.
    /// Checkouts keep the numbers that they have drawn.
    func release() async {
        let free = state.withLock { state in
            let free = state.free
            state.free = []
            return free
        }
        guard let last = free.last else { return }
        // A number before a used one cannot be released.
        var first = last
        for number in free.reversed() where number == first - 1 { first = number }
        // If this fails, the numbers are skipped, and the stop continues.
        try? await store.write(.readCommitted) { [first] in try $0.orders.returnNumbers(first...last) }
    }

    private func reserve() async throws {
        defer { state.withLock { $0.refill = nil } }
        let first = try await store.write(.readCommitted) { try $0.orders.reserveNumbers(Self.block) }
        state.withLock { $0.free.append(contentsOf: first..<first + Int64(Self.block)) }
    }
}
