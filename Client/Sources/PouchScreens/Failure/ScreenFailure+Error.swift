import Foundation
import PouchCoordination

extension ScreenFailure {
    /// What a screen shows for anything that `send` throws; nil where there is nothing to show, since the screen itself
    /// gave up waiting or is on its way out.
    public init?(showing error: any Error) {
        switch error {
        case let failure as ScreenFailure: self = failure
        case UndeliveredMessage.queueFull:
            self.init("The shop is still starting.", advice: "Try again in a moment.", remedy: .retry)
        case is UndeliveredMessage, is CancellationError: return nil
        case is UnhandledMessage: self.init("That cannot be done here.")
        case let error as any LocalizedError:
            self.init(error.errorDescription ?? "That did not work.", advice: error.recoverySuggestion)
        default: self.init("That did not work.")
        }
    }
}
