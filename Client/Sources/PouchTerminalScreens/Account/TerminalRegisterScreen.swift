import PouchCoordination
import PouchScreens
import PouchTerminal

final class TerminalRegisterScreen: TerminalScreen, RegisterScreen {
    override var title: String { "New account" }

    override var elements: [FormElement] {
        [.text("Your cart comes along."), .blank] + field("name", "Name") + field("email", "E-mail")
            + field("mobileNumber", "Mobile number") + field("password", "Password", isSecret: true)
            + field("again", "Password again", isSecret: true) { [unowned self] in register() }
            + [
                .text(StyledText("The password has 8 to 128 characters; the mobile number may stay empty.", .dim)),
                .blank,
                .button("register", "Make the account") { [unowned self] in register() },
            ]
    }

    private func register() {
        let (name, email, password) = (text("name"), text("email"), form["password"])
        let mobile = text("mobileNumber").isEmpty ? nil : text("mobileNumber")
        guard areFilled(["name", "email", "password"]) else { return }
        guard form["again"] == password else { return refuse("again", "The two passwords differ.") }
        perform("Making the account", .committed) { [unowned self] in
            try await send(to: (any AccountMessages).self) {
                try await $0.accountRegister(name: name, email: email, mobileNumber: mobile, password: password)
            }
            for secret in ["password", "again"] { form[secret] = "" }
        }
    }
}
