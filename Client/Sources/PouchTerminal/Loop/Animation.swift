/// A spinner that turns as long as it is drawn.
@MainActor
public final class Animation {
    private static let interval = Duration.milliseconds(120)
    private static let spinner: [Character] = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]

    public let redraw: @MainActor () -> Void
    private let clock: any Clock<Duration>
    private var frame = 0
    private var next: Task<Void, Never>?

    /// - Parameter redraw: called when the screen has to be drawn again.
    public init(clock: any Clock<Duration>, redraw: @escaping @MainActor () -> Void) {
        self.clock = clock
        self.redraw = redraw
    }

    deinit {
        next?.cancel()
    }

    /// The spinner before the name of an activity, for example "Signing in". Drawing it schedules the next `redraw`.
    public func spinner(_ activity: String) -> StyledText {
        if next == nil {
            next = Task { [clock, weak self] in
                guard (try? await clock.sleep(for: Self.interval)) != nil else { return }
                self?.turn()
            }
        }
        return StyledText("\(Self.spinner[frame]) \(activity) …", .cyan)
    }

    private func turn() {
        next = nil
        frame = (frame + 1) % Self.spinner.count
        redraw()
    }
}
