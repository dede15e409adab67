import KooberScreens
import PouchEntities
import PouchTerminal

extension Page {
    static func signIn(_ screen: FormScreen, _ context: PageContext) -> Page {
        let form = context.form
        let submit: @MainActor () -> Void = {
            context.want(.signIn(email: form["email"], password: Secret(form["password"])))
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

    static let formHints: [(key: String, meaning: String)] = [("Enter", "next"), ("↑↓", "move")]
}
