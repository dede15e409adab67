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
                .block(Row(StyledText(profile.name, .bold), StyledText(profile.email))), .blank,
                .row("orders", "My orders") { [unowned self] in go(to: .orders) },
                .row("sign out", "Sign out") { [unowned self] in signOut() }, .blank,
            ] + field("name", "Name") + field("mobileNumber", "Mobile number")
                + [.button("save", "Save") { [unowned self] in save() }]
        }
    }

    private func fill(_ profile: Profile) {
        form["name"] = profile.name
        form["mobileNumber"] = profile.mobileNumber ?? ""
    }

    private func save() {
        let (name, mobile) = (form["name"], form["mobileNumber"])
        perform("Saving") { [unowned self] in
            try await send(to: (any AccountMessages).self) {
                try await $0.accountUpdate(name: name, mobileNumber: mobile)
            }
            notice = Notice("Saved.")
        }
    }

    private func signOut() {
        ask("Sign out?", yes: "sign out") { [unowned self] in
            perform("Signing out", (any AccountMessages).self) { try await $0.accountSignOut() }
        }
    }
}
