import KooberKit
import PouchEntities

/// What there is to ride on to a drop-off, of which nothing is selected yet.
public struct RideOptionPickerState: Equatable, Sendable {
    /// Where loading failed nothing is offered, also after the error was read.
    public enum Progress: Equatable, Sendable {
        case loading(SerialNumber)
        case failed(ErrorToPresent)
        case offered([PricedRideOption])
    }

    public let dropoffLocation: NamedLocation
    public internal(set) var progress: Progress

    init(dropoffLocation: NamedLocation, progress: Progress) {
        self.dropoffLocation = dropoffLocation
        self.progress = progress
    }

    /// nil where that option is not offered.
    func selecting(_ id: RideOption.ID) -> RideDraft? {
        guard case .offered(let options) = progress else { return nil }
        return RideDraft(dropoffLocation: dropoffLocation, options: options, selecting: id)
    }

    var errorsToPresent: [ErrorToPresent] {
        guard case .failed(let error) = progress else { return [] }
        return [error]
    }
}
