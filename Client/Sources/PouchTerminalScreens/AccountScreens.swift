import PouchCoordination
import PouchEntities
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
        [.text("You keep your cart."), .blank] + field("email", "E-mail")
            + field("password", "Password", isSecret: true) { [unowned self] in signIn() }
            + (needsCode ? field("code", "Code") { [unowned self] in signIn() } : [])
            + [
                .blank, .button("sign in", "Sign in") { [unowned self] in signIn() }, .blank,
                .row("register", "Create an account") { [unowned self] in go(to: .register) },
            ]
    }

    /// Whether the shop has requested the code of a second factor.
    private var needsCode: Bool { invalid["code"] != nil || !form["code"].isEmpty }

    private func signIn() {
        guard areFilled(["email", "password"]) else { return }
        let (email, password, code) = (text("email"), form["password"], text("code"))
        let message = SignIn(email: email, password: password, code: code.isEmpty ? nil : code)
        perform("Signing in", .committed, sending: message) { [unowned self] in
            for secret in ["password", "code"] { form[secret] = "" }
        }
    }
}

final class TerminalRegisterScreen: TerminalScreen, RegisterScreen {
    private static let rules: String = {
        let length = ModelLimits.passwordLength
        return "The password must have \(length.lowerBound) to \(length.upperBound) characters. "
            + "The mobile number is optional."
    }()

    override var title: String { "New account" }

    override var elements: [FormElement] {
        [.text("You keep your cart."), .blank] + field("name", "Name") + field("email", "E-mail")
            + field("mobileNumber", "Mobile number") + field("password", "Password", isSecret: true)
            + field("again", "Password again", isSecret: true) { [unowned self] in register() }
            + [
                .note(Self.rules), .blank,
                .button("register", "Create account") { [unowned self] in register() },
            ]
    }

    private func register() {
        let (name, email, password) = (text("name"), text("email"), form["password"])
        let mobile = text("mobileNumber").isEmpty ? nil : text("mobileNumber")
        guard areFilled(["name", "email", "password"]) else { return }
        guard form["again"] == password else { return refuse("again", "The two passwords differ.") }
        let message = Register(name: name, email: email, mobileNumber: mobile, password: password)
        perform("Creating the account", .committed, sending: message) { [unowned self] in
            for secret in ["password", "again"] { form[secret] = "" }
        }
    }
}

final class TerminalProfileScreen: TerminalScreen, ProfileScreen {
    var profile = LoadState<Profile>() {
        didSet {
            if let new = profile.value, new != oldValue.value {
                form["name"] = new.name
                form["mobileNumber"] = new.mobileNumber ?? ""
            }
            redraw()
        }
    }

    override var title: String { "Account" }

    override var elements: [FormElement] {
        loaded(profile) { profile in
            [
                .text(StyledText(profile.name, .bold)), .text(StyledText(profile.email)), .blank,
                .row("orders", "My orders") { [unowned self] in go(to: .orders) },
                .row("sign out", "Sign out") { [unowned self] in signOut() }, .blank,
            ] + field("name", "Name") + field("mobileNumber", "Mobile number")
                + [.button("save", "Save") { [unowned self] in save() }, .blank]
                + field("currentPassword", "Current password", isSecret: true)
                + field("newPassword", "New password", isSecret: true)
                + [
                    .button("change password", "Change password") { [unowned self] in changePassword() },
                    .button("delete", "Delete account") { [unowned self] in deleteAccount() },
                    .note("Both require the current password."),
                ]
        }
    }

    private func save() {
        guard areFilled(["name"]) else { return }
        let message = UpdateProfile(name: text("name"), mobileNumber: text("mobileNumber"))
        perform("Saving", sending: message) { [unowned self] in
            notices.append(Notice("Saved."))
        }
    }

    private func changePassword() {
        guard areFilled(["currentPassword", "newPassword"]) else { return }
        let message = ChangePassword(from: form["currentPassword"], to: form["newPassword"])
        perform("Changing the password", .committed, sending: message) { [unowned self] in
            for secret in ["currentPassword", "newPassword"] { form[secret] = "" }
            notices.append(Notice("Your password has been changed. All other devices are signed out."))
        }
    }

    private func deleteAccount() {
        let password = form["currentPassword"]
        guard areFilled(["currentPassword"]) else { return }
        ask("Delete the account permanently? The shop keeps its orders.", yes: "delete it", isFinal: true) {
            [unowned self] in
            perform("Deleting the account", .committed, sending: DeleteAccount(password: password))
        }
    }

    private func signOut() {
        ask("Sign out?", yes: "sign out", no: "stay") { [unowned self] in
            perform("Signing out", sending: SignOut())
        }
    }
}
