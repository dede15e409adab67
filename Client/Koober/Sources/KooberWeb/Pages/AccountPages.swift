import KooberScreens
import KooberTexts
import PouchEntities

extension PageContent {
    static func welcome(_ context: PageContext) -> PageContent {
        var page = PageContent(title: context.text(.welcome))
        page.html = tag("div", ["class": "welcome"]) {
            Kangaroo.drawing(size: 1, classes: "hero")
            tag("p", ["class": "lead"], context.text(.kooberIsRides))
            tag("div", ["class": "actions"]) {
                context.button(.goToSignIn, context.text(.signIn), style: "primary")
                context.button(.goToSignUp, context.text(.signUp))
            }
        }
        return page
    }

    static func signIn(_ screen: FormScreen, _ context: PageContext, isCovered: Bool) -> PageContent {
        let form = AccountForm(screen, context, isCovered: isCovered)
        return form.page(
            .signIn, busy: .signingIn, intention: .signIn(email: "", password: Secret()), submit: .signIn
        ) {
            form.field(.email, .email, type: "email", autocomplete: "username")
            form.field(.password, .password, type: "password", autocomplete: "current-password")
        }
    }

    static func signUp(_ screen: FormScreen, _ context: PageContext, isCovered: Bool) -> PageContent {
        let form = AccountForm(screen, context, isCovered: isCovered)
        return form.page(
            .newAccount, busy: .creatingAccount,
            intention: .signUp(name: "", email: "", mobileNumber: "", password: Secret()), submit: .signUp
        ) {
            form.field(.name, .name, type: "text", autocomplete: "name")
            form.field(.email, .email, type: "email", autocomplete: "username")
            form.field(.mobileNumber, .mobileNumber, type: "tel", autocomplete: "tel")
            form.field(.password, .password, type: "password", autocomplete: "new-password", hint: .passwordRule)
        }
    }
}

/// A form for an account, with the problem of each field next to it.
private struct AccountForm {
    private let screen: FormScreen
    private let context: PageContext
    /// The field that receives the focus: the first one with a problem, otherwise the first one of the form.
    private let focus: FormField?

    init(_ screen: FormScreen, _ context: PageContext, isCovered: Bool) {
        self.screen = screen
        self.context = context
        focus = isCovered || screen.isBusy ? nil : screen.problems.keys.min()
    }

    func page(
        _ title: Phrase, busy: Phrase, intention: Intention, submit: Phrase, @HTMLBuilder fields: () -> HTML
    ) -> PageContent {
        var page = PageContent(title: context.text(title), busy: screen.isBusy ? busy : nil, context)
        page.hasFocus = focus != nil
        page.html = tag("div", ["class": "account"]) {
            context.form(intention, ("account", "fields")) {
                tag("fieldset", ["disabled": screen.isBusy ? "" : nil]) {
                    fields()
                    tag("button", ["id": "submit", "class": "primary"], context.text(submit))
                }
            }
            context.button(.goBack, context.label(.back), style: "quiet", isEnabled: !screen.isBusy, isForEscape: true)
        }
        return page
    }

    /// A password is never part of a page.
    func field(
        _ field: FormField, _ label: Phrase, type: String, autocomplete: String, hint: Phrase? = nil
    ) -> HTML {
        let name = field.rawValue
        let problem = screen.problems[field]
        let descriptions = [problem.map { _ in "problem-\(name)" }, hint.map { _ in "hint-\(name)" }].compactMap { $0 }
        return tag("div", ["class": "field"]) {
            tag("label", ["for": name], context.text(label))
            void(
                "input",
                [
                    "id": name, "name": name, "type": type, "autocomplete": autocomplete,
                    "value": field == .password ? nil : context.memory.drafts[field],
                    "aria-invalid": problem == nil ? nil : "true",
                    "aria-describedby": descriptions.isEmpty ? nil : descriptions.joined(separator: " "),
                    "autofocus": focus == field ? "" : nil,
                ])
            if let problem { tag("p", ["id": "problem-\(name)", "class": "problem"], context.text(problem)) }
            if let hint { tag("p", ["id": "hint-\(name)", "class": "hint"], context.text(hint)) }
        }
    }
}
