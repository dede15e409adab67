/// Makes what a form needs, each time that one is shown.
@MainActor
protocol FormUserInteractionsFactory {
    func makeSignInUserInteractions() -> SignInUserInteractions
    func makeSignUpUserInteractions() -> SignUpUserInteractions
}
