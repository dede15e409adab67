import KooberScreens

final class RideOptionPickerViewController: ViewController {
    private let viewModel: RideOptionPickerViewModel

    init(viewModel: RideOptionPickerViewModel) {
        self.viewModel = viewModel
        viewModel.loadRideOptions()
    }

    var errorMessages: [ErrorMessages] { [viewModel.errorMessages] }

    var content: RideOptionPicker {
        RideOptionPicker(
            segments: viewModel.segments.map {
                RideOptionPicker.Segment(
                    id: $0.id, title: $0.title, fare: $0.fare, capacity: $0.capacity, isSelected: $0.isSelected)
            },
            isLoading: viewModel.isLoading)
    }

    func perform(_ intention: Intention) throws(IllegalTransition) {
        guard case .selectRideOption(let id) = intention else { return }
        try viewModel.select(rideOptionID: id)
    }
}
