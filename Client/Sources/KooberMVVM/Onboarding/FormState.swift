/// What of a form can be used.
public struct FormState: Hashable, Sendable {
    public let inputsEnabled: Bool
    public let buttonEnabled: Bool
    public let activityIndicatorAnimating: Bool

    static let idle = FormState(inputsEnabled: true, buttonEnabled: true, activityIndicatorAnimating: false)
    static let busy = FormState(inputsEnabled: false, buttonEnabled: false, activityIndicatorAnimating: true)
}
