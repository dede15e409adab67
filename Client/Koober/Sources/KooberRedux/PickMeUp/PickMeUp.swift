import Foundation
import KooberKit
import KooberScreens
import PouchEntities

/// The state from the user's location to the request of a ride.
public struct PickMeUpState: Codable, Equatable, Sendable {
    public enum Step: Codable, Equatable, Sendable {
        /// The user has not chosen a drop-off.
        case initial
        /// The user can confirm once an option is selected.
        case selectRideOption(RideOptionPickerState)
        case sendingRideRequest(RideOptionPickerState, NewRideRequest)
        /// Shows the confirmation until the user acknowledges the error. Then the options are loaded again.
        case requestFailed(RideOptionPickerState, ErrorMessage.ID)
    }

    public let pickupLocation: GeoPoint
    public var step: Step
    /// Covers the step, which continues beneath it; nil while it is closed.
    public var dropoffLocationPicker: DropoffLocationPickerState?

    /// - Parameter plan: the steps that have already been performed.
    public init(pickupLocation: GeoPoint, plan: RidePlan? = nil) {
        self.pickupLocation = pickupLocation
        step = .initial
        switch plan {
        case .search(let query, let choosesMatch):
            dropoffLocationPicker = DropoffLocationPickerState(query: query, choosesMatch: choosesMatch)
        case .dropoff(let place, let option):
            step = .selectRideOption(RideOptionPickerState(to: place, selecting: option))
        case nil: break
        }
    }

    /// nil until the user has chosen a drop-off.
    public var rideOptionPicker: RideOptionPickerState? {
        switch step {
        case .initial: nil
        case .selectRideOption(let picker), .sendingRideRequest(let picker, _), .requestFailed(let picker, _): picker
        }
    }

    var isSending: Bool { if case .sendingRideRequest = step { true } else { false } }

    public var effects: Set<PickMeUpEffect> {
        var effects: Set<PickMeUpEffect> = []
        if let picker = dropoffLocationPicker, picker.isSearching {
            effects.insert(.search(picker.query, near: pickupLocation))
        }
        switch step {
        case .selectRideOption(let picker) where picker.options == nil:
            effects.insert(.loadRideOptions(waypoints(to: picker.dropoffLocation)))
        case .sendingRideRequest(_, let request): effects.insert(.requestRide(request))
        case .initial, .selectRideOption, .requestFailed: break
        }
        return effects
    }

    fileprivate func waypoints(to dropoffLocation: NamedLocation) -> RideWaypoints {
        RideWaypoints(pickupLocation: pickupLocation, dropoffLocation: dropoffLocation.location)
    }

    mutating func acknowledge(_ error: ErrorMessage) {
        guard case .requestFailed(let picker, error.id) = step else { return }
        // The fares may have expired.
        step = .selectRideOption(RideOptionPickerState(to: picker.dropoffLocation))
    }
}

public enum PickMeUpAction: Codable, Equatable, Sendable {
    case goToDropoffLocationPicker
    case dropoffLocationPicker(DropoffLocationPickerAction)
    /// With the name of a result.
    case dropoffLocationSelected(String)
    case closedDropoffLocationPicker
    case rideOptionPicker(RideOptionPickerAction)
    case rideConfirmed
    case newRideRequestSent(Ride)
    case failed(PickMeUpEffect, ErrorMessage)
}

public enum PickMeUpEffect: Codable, Hashable, Sendable {
    case search(String, near: GeoPoint)
    case loadRideOptions(RideWaypoints)
    case requestRide(NewRideRequest)
}

extension Reducers {
    /// Handles all actions except a sent request, which leads to the next stage.
    static func pickMeUp(_ state: inout PickMeUpState, _ action: PickMeUpAction, errors: inout [ErrorMessage]) {
        switch (state.step, action) {
        case (.initial, .goToDropoffLocationPicker), (.selectRideOption, .goToDropoffLocationPicker):
            if state.dropoffLocationPicker == nil { state.dropoffLocationPicker = DropoffLocationPickerState() }
        case (_, .dropoffLocationPicker(let action)):
            guard var picker = state.dropoffLocationPicker else { return }
            dropoffLocationPicker(&picker, action)
            state.dropoffLocationPicker = picker
            if let match = picker.match { select(match, in: &state) }
        case (_, .dropoffLocationSelected(let name)):
            let place = state.dropoffLocationPicker?.results.first { $0.name == name }
            if let place { select(place, in: &state) }
        case (_, .closedDropoffLocationPicker):
            state.dropoffLocationPicker = nil
        case (.selectRideOption(var picker), .rideOptionPicker(let action)):
            rideOptionPicker(&picker, action)
            state.step = .selectRideOption(picker)
        case (.selectRideOption(let picker), .rideConfirmed) where state.dropoffLocationPicker == nil:
            guard let option = picker.selected else { return }
            let waypoints = state.waypoints(to: picker.dropoffLocation)
            state.step = .sendingRideRequest(picker, NewRideRequest(waypoints: waypoints, option: option))
        case (_, .failed(let effect, let error)) where state.effects.contains(effect):
            errors.append(error)
            fail(effect, error, in: &state)
        default: break
        }
    }

    private static func select(_ place: NamedLocation, in state: inout PickMeUpState) {
        state.dropoffLocationPicker = nil
        state.step = .selectRideOption(RideOptionPickerState(to: place))
    }

    private static func fail(_ effect: PickMeUpEffect, _ error: ErrorMessage, in state: inout PickMeUpState) {
        switch (effect, state.step) {
        case (.search, _): state.dropoffLocationPicker?.isSearching = false
        case (.loadRideOptions, .selectRideOption(var picker)):
            picker.options = []
            state.step = .selectRideOption(picker)
        case (.requestRide, .sendingRideRequest(let picker, _)): state.step = .requestFailed(picker, error.id)
        default: break
        }
    }
}
