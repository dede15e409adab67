/// Something that a screen waits for.
@MainActor
final class Activity {
    enum Mode {
        /// Esc gives it up; what is wanted meanwhile is not begun.
        case usual
        /// The same, but the next of this mode takes its place.
        case latest
        /// Cannot be given up, since it may be done already.
        case committed
    }

    /// As in "Signing in".
    let doing: String
    let mode: Mode
    var task: Task<Void, Never>?

    init(_ doing: String, _ mode: Mode) {
        self.doing = doing
        self.mode = mode
    }
}
