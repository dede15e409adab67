/// Turns bytes into keys over time: Esc is the key when nothing follows it.
@MainActor
final class Keyboard {
    /// What a sequence takes at most between two of its bytes, also over a slow line.
    static let patience = Duration.milliseconds(50)

    private let clock: any Clock<Duration>
    private let press: @MainActor (Key) -> Void
    private var decoder = KeyDecoder()
    private var wait: Task<Void, Never>?

    init(clock: any Clock<Duration>, press: @escaping @MainActor (Key) -> Void) {
        self.clock = clock
        self.press = press
    }

    deinit {
        wait?.cancel()
    }

    func take(_ bytes: [UInt8]) {
        wait?.cancel()
        decoder.decode(bytes).forEach(press)
        guard decoder.isUndecided else { return }
        wait = Task { [clock, weak self] in
            guard (try? await clock.sleep(for: Self.patience)) != nil, !Task.isCancelled else { return }
            self?.flush()
        }
    }

    private func flush() {
        decoder.flush().forEach(press)
    }
}
