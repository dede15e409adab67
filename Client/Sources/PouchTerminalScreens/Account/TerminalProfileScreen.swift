import PouchCoordination
import PouchEntities
import PouchScreens
import PouchTerminal

final class TerminalProfileScreen: TerminalScreen, ProfileScreen {
    var profile = LoadState<Profile>() {
        didSet {
            if let new = profile.value, new != oldValue.value { fill(new) }
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
                + field("currentPassword", "Password now", isSecret: true)
                + field("newPassword", "New password", isSecret: true)
                + [
                    .button("change password", "Change the password") { [unowned self] in changePassword() },
                    .button("delete", "Delete the account") { [unowned self] in deleteAccount() },
                    .text(StyledText("Both need the password that the account has now.", .dim)),
                ]
        }
    }

    private func fill(_ profile: Profile) {
        form["name"] = profile.name
        form["mobileNumber"] = profile.mobileNumber ?? ""
    }

    private func save() {
        guard areFilled(["name"]) else { return }
        let (name, mobile) = (text("name"), text("mobileNumber"))
        perform("Saving") { [unowned self] in
            try await send(to: (any AccountMessages).self) {
                try await $0.accountUpdate(name: name, mobileNumber: mobile)
            }
            notices.append(Notice("Saved."))
        }
    }

    private func changePassword() {
        let (current, new) = (form["currentPassword"], form["newPassword"])
        guard areFilled(["currentPassword", "newPassword"]) else { return }
        perform("Changing the password", .committed) { [unowned self] in
            try await send(to: (any AccountMessages).self) {
                try await $0.accountChangePassword(from: current, to: new)
            }
            for secret in ["currentPassword", "newPassword"] { form[secret] = "" }
            notices.append(
                Notice("The password is changed; wherever else you were signed in, you are no longer."))
        }
    }

    private func deleteAccount() {
        let password = form["currentPassword"]
        guard areFilled(["currentPassword"]) else { return }
        ask("Delete the account for good? The shop keeps its orders.", yes: "delete it", isFinal: true) {
            [unowned self] in
            perform("Deleting the account", (any AccountMessages).self, .committed) {
                try await $0.accountDelete(password: password)
            }
        }
    }

    private func signOut() {
        ask("Sign out?", yes: "sign out") { [unowned self] in
            perform("Signing out", (any AccountMessages).self) { try await $0.accountSignOut() }
        }
    }
}
