import KooberKit
import KooberScreens
import PouchEntities

@MainActor
public protocol DropoffUseCaseFactory: AnyObject {
    func makePresentDropoffPickerUseCase(isPresented: Bool) -> any UseCase
    /// - Parameters:
    ///   - query: empty for the places nearby.
    ///   - choosesMatch: whether a result with exactly this name becomes the match of the picker.
    func makeSearchDropoffLocationsUseCase(query: String, choosesMatch: Bool) -> any CancelableUseCase
    /// - Parameter option: selected as soon as it is offered.
    func makeSelectDropoffLocationUseCase(
        _ location: NamedLocation, option: PricedRideOption.ID?
    ) -> any CancelableUseCase
}

/// Opens an empty drop-off picker, or closes the open one. Does not open a second one, or one during a request.
struct PresentDropoffPickerUseCase: UseCaseSteps {
    let isPresented: Bool
    let pickMeUp: StateStore<PickMeUpState>

    func execute(in run: UseCaseRun<Self>) {
        pickMeUp.update {
            guard isPresented else { return $0.dropoffPicker = nil }
            guard $0.dropoffPicker == nil, !$0.isSending else { return }
            $0.dropoffPicker = DropoffPickerState()
        }
    }
}

/// Searches for places, and shows them in the drop-off picker. Does nothing while the picker is closed. Only the result
/// of the most recent search is used.
struct SearchDropoffLocationsUseCase: UseCaseSteps {
    let query: String
    let choosesMatch: Bool
    let repository: any LocationRepository
    let pickMeUp: StateStore<PickMeUpState>

    func execute(in run: UseCaseRun<Self>) {
        guard pickMeUp.state.dropoffPicker != nil else { return }
        pickMeUp.update {
            $0.dropoffPicker?.query = query
            $0.dropoffPicker?.isSearching = true
        }
        run.perform {
            do throws(ErrorMessage) {
                let results = try await repository.searchForLocations(
                    using: query, near: pickMeUp.state.pickupLocation)
                finish {
                    $0.dropoffPicker?.results = results
                    if choosesMatch { $0.dropoffPicker?.match = results.first { $0.name.isSameName(as: query) } }
                }
            } catch {
                finish { $0.errors.append(error) }
            }
        }
    }

    private func finish(_ change: (inout PickMeUpState) -> Void) {
        guard pickMeUp.state.dropoffPicker?.query == query else { return }
        pickMeUp.update {
            $0.dropoffPicker?.isSearching = false
            change(&$0)
        }
    }
}

/// Chooses the drop-off, closes the picker, and loads the ride options with their fares for the trip. Does nothing
/// while a ride is being requested.
struct SelectDropoffLocationUseCase: UseCaseSteps {
    let location: NamedLocation
    let option: PricedRideOption.ID?
    let repository: any RideOptionRepository
    let pickMeUp: StateStore<PickMeUpState>

    func execute(in run: UseCaseRun<Self>) {
        guard !pickMeUp.state.isSending else { return }
        pickMeUp.update {
            $0.dropoffLocation = location
            $0.dropoffPicker = nil
            // The options and prices of the previous trip no longer apply.
            $0.step = .selectRideOption(RideOptions(isLoading: true))
        }
        guard let waypoints = pickMeUp.state.waypoints else { return }
        run.perform {
            do throws(ErrorMessage) {
                var offered = RideOptions(options: try await repository.rideOptions(for: waypoints))
                offered.selectedID = option
                finish(waypoints) { $0.step = .selectRideOption(offered) }
            } catch {
                finish(waypoints) {
                    $0.step = .selectRideOption(RideOptions())
                    $0.errors.append(error)
                }
            }
        }
    }

    /// The user may have chosen another trip, or an equal call may have been answered first.
    private func finish(_ waypoints: RideWaypoints, _ change: (inout PickMeUpState) -> Void) {
        guard pickMeUp.state.waypoints == waypoints,
            pickMeUp.state.step == .selectRideOption(RideOptions(isLoading: true))
        else { return }
        pickMeUp.update(change)
    }
}
