import KooberScreens

extension FormScreen {
    init(_ state: FormViewState) {
        self.init(
            inputsEnabled: state.inputsEnabled, buttonEnabled: state.buttonEnabled,
            isBusy: state.activityIndicatorAnimating)
    }
}
