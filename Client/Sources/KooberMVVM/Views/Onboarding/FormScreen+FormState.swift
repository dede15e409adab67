import KooberScreens

extension FormScreen {
    init(_ form: FormState) {
        self.init(
            inputsEnabled: form.inputsEnabled, buttonEnabled: form.buttonEnabled,
            isBusy: form.activityIndicatorAnimating)
    }
}
