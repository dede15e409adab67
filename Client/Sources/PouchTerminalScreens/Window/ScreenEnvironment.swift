import Foundation
import PouchTerminal

/// What every screen is given beside its data.
@MainActor
struct ScreenEnvironment {
    let animation: Animation
    let clock: any Clock<Duration>
    let timeZone: TimeZone

    func redraw() { animation.redraw() }
}
