import Foundation
import KooberScreens
import PouchEntities
import PouchTerminal

extension Page {
    static func welcome(_ context: PageContext) -> Page {
        Page(
            title: "Welcome",
            elements: [
                .blank, .text(StyledText("Rides by kangaroo, all over Sydney.", .bold)), .blank,
                context.button("sign in", "Sign in", .goToSignIn),
                context.button("sign up", "Create an account", .goToSignUp),
            ],
            hints: [("Enter", "choose"), ("↑↓", "move")])
    }

    static func signIn(_ screen: FormScreen, _ context: PageContext) -> Page {
        let form = context.form
        let submit: @MainActor () -> Void = {
            context.perform(.signIn(email: form["email"], password: Secret(form["password"])))
        }
        return Page(
            title: "Sign in",
            elements: [
                .blank, form.field("email", "E-mail"),
                form.field("password", "Password", isSecret: true, submit: submit), .blank,
                .button("sign in", "Sign in", do: submit),
            ],
            activity: screen.isBusy ? "Signing in" : nil, isEnabled: screen.inputsEnabled, hints: formHints)
    }

    static func signUp(_ screen: FormScreen, _ context: PageContext) -> Page {
        let form = context.form
        let submit: @MainActor () -> Void = {
            context.perform(
                .signUp(
                    name: form["name"], email: form["email"], mobileNumber: form["mobileNumber"],
                    password: Secret(form["password"])))
        }
        return Page(
            title: "New account",
            elements: [
                .blank, form.field("name", "Name"), form.field("email", "E-mail"),
                form.field("mobileNumber", "Mobile number"),
                form.field("password", "Password", isSecret: true, submit: submit),
                .text(StyledText("The password has 8 to 128 characters. The mobile number is optional.", .dim)),
                .blank, .button("sign up", "Create account", do: submit),
            ],
            activity: screen.isBusy ? "Creating the account" : nil, isEnabled: screen.inputsEnabled, hints: formHints)
    }

    private static let formHints: [KeyHint] = [("Enter", "next"), ("↑↓", "move")]

    static func profile(_ screen: ProfileScreen, _ context: PageContext) -> Page {
        let facts = [("Name", screen.name), ("E-mail", screen.email), ("Mobile number", screen.mobileNumber)]
        let rows = facts.filter { !$0.1.isEmpty }.map { name, value in
            FormElement.block(
                Row(StyledText(name.padding(toLength: 18, withPad: " ", startingAt: 0), .dim) + StyledText(value)))
        }
        return Page(
            title: "Profile",
            elements: [.blank] + rows + [
                .blank, context.button("close", "Close", .closeProfile),
                context.button("sign out", "Sign out", .signOut),
            ],
            activity: screen.isSigningOut ? "Signing out" : nil, isEnabled: !screen.isSigningOut,
            hints: [("Enter", "choose"), ("↑↓", "move")])
    }
}
