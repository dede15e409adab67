import KooberScreens
import PouchEntities

final class DropoffLocationPickerViewController: ViewController {
    private let viewModel: DropoffLocationPickerViewModel

    init(viewModel: DropoffLocationPickerViewModel) {
        self.viewModel = viewModel
        viewModel.search(for: "")
    }

    var errorMessages: [ErrorMessages] { [viewModel.errorMessages] }

    var content: PickMeUpScreen.Step {
        .selectDropoffLocation(
            DropoffPicker(
                query: viewModel.query, results: viewModel.searchResults, isSearching: viewModel.isSearching))
    }

    func perform(_ intention: Intention) throws(IllegalTransition) {
        switch intention {
        case .searchDropoffs(let query): viewModel.search(for: query)
        case .selectDropoff(let name):
            guard let result = viewModel.searchResults.first(where: { $0.name == name }) else { return }
            try viewModel.select(dropoffLocation: result)
        case .cancelDropoff: try viewModel.cancel()
        default: break
        }
    }
}
