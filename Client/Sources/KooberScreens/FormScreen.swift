/// A form that is filled in, or was sent.
public struct FormScreen: Hashable, Sendable {
    public var inputsEnabled: Bool
    public var buttonEnabled: Bool
    public var isBusy: Bool

    public init(inputsEnabled: Bool = true, buttonEnabled: Bool = true, isBusy: Bool = false) {
        self.inputsEnabled = inputsEnabled
        self.buttonEnabled = buttonEnabled
        self.isBusy = isBusy
    }
}
