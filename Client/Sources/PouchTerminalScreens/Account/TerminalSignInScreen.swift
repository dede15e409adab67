import PouchCoordination
import PouchScreens
import PouchTerminal

final class TerminalSignInScreen: TerminalScreen, SignInScreen {
    var email: String? {
        didSet {
            if let email { form["email"] = email }
            redraw()
        }
    }

    override var title: String { "Sign in" }

    override var elements: [FormElement] {
        [.text("Your cart comes along."), .blank] + field("email", "E-mail")
            + field("password", "Password", isSecret: true) { [unowned self] in signIn() }
            + [
                .blank, .button("sign in", "Sign in") { [unowned self] in signIn() }, .blank,
                .row("register", "I have no account yet") { [unowned self] in go(to: .register) },
            ]
    }

    private func signIn() {
        guard areFilled(["email", "password"]) else { return }
        let (email, password) = (text("email"), form["password"])
        perform("Signing in", .committed) { [unowned self] in
            try await send(to: (any AccountMessages).self) {
                try await $0.accountSignIn(email: email, password: password)
            }
            form["password"] = ""
        }
    }
}
