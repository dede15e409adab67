import KooberScreens
import PouchEntities
import PouchTerminal

extension Page {
    static func signUp(_ screen: FormScreen, _ context: PageContext) -> Page {
        let form = context.form
        let submit: @MainActor () -> Void = {
            context.want(
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
                .text(StyledText("The password has 8 to 128 characters; the mobile number may stay empty.", .dim)),
                .blank, .button("sign up", "Make the account", do: submit),
            ],
            activity: screen.isBusy ? "Making the account" : nil, isEnabled: screen.inputsEnabled, hints: formHints)
    }
}
