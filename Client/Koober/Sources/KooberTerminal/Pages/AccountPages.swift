import Foundation
import KooberScreens
import KooberTexts
import PouchEntities
import PouchTerminal

extension Page {
    static func welcome(_ context: PageContext) -> Page {
        Page(
            title: context.text(.welcome),
            elements: [
                .blank, .text(StyledText(context.text(.kooberIsRides), .bold)), .blank,
                context.button("sign in", .signIn, .goToSignIn), context.button("sign up", .signUp, .goToSignUp),
            ],
            hints: context.choiceHints)
    }

    static func signIn(_ screen: FormScreen, _ context: PageContext) -> Page {
        let submit: @MainActor () -> Void = {
            context.perform(.signIn(email: context[.email], password: Secret(context[.password])))
        }
        return Page(
            title: context.text(.signIn),
            elements: [.blank] + context.field(.email, .email, screen)
                + context.field(.password, .password, screen, isSecret: true, submit: submit)
                + [.blank, .button("sign in", context.text(.signIn), do: submit)],
            activity: screen.isBusy ? context.text(.signingIn) : nil, isEnabled: !screen.isBusy,
            hints: context.formHints)
    }

    static func signUp(_ screen: FormScreen, _ context: PageContext) -> Page {
        let submit: @MainActor () -> Void = {
            context.perform(
                .signUp(
                    name: context[.name], email: context[.email], mobileNumber: context[.mobileNumber],
                    password: Secret(context[.password])))
        }
        return Page(
            title: context.text(.newAccount),
            elements: [.blank] + context.field(.name, .name, screen) + context.field(.email, .email, screen)
                + context.field(.mobileNumber, .mobileNumber, screen)
                + context.field(.password, .password, screen, isSecret: true, submit: submit)
                + [
                    .text(StyledText(context.text(.passwordRule), .dim)), .blank,
                    .button("sign up", context.text(.signUp), do: submit),
                ],
            activity: screen.isBusy ? context.text(.creatingAccount) : nil, isEnabled: !screen.isBusy,
            hints: context.formHints)
    }

    static func profile(_ screen: ProfileScreen, _ context: PageContext) -> Page {
        let facts: [(Phrase, String)] = [
            (.name, screen.name), (.email, screen.email), (.mobileNumber, screen.mobileNumber),
        ]
        let rows = facts.filter { !$0.1.isEmpty }.map { name, value in
            FormElement.block(
                Row(
                    StyledText(context.text(name).padding(toLength: 18, withPad: " ", startingAt: 0), .dim)
                        + StyledText(value)))
        }
        let avatar = FormElement.block(Row(StyledText(" \(screen.initials) ", Style([.bold, .reversed]))))
        return Page(
            title: context.text(.profile),
            elements: [.blank] + (screen.initials.isEmpty ? [] : [avatar, .blank]) + rows + [
                .blank, context.button("close", .close, .closeProfile),
                context.button("sign out", .signOut, .signOut),
            ],
            activity: screen.isSigningOut ? context.text(.signingOut) : nil, isEnabled: !screen.isSigningOut,
            hints: context.choiceHints)
    }
}

extension PageContext {
    subscript(field: FormField) -> String { form[field.rawValue] }

    /// A field, and its problem below it.
    fileprivate func field(
        _ field: FormField, _ label: Phrase, _ screen: FormScreen, isSecret: Bool = false,
        submit: (@MainActor () -> Void)? = nil
    ) -> [FormElement] {
        let element = form.field(field.rawValue, text(label), isSecret: isSecret, submit: submit)
        return [element] + [screen.problems[field]].compactMap { $0 }.map { .text(StyledText(text($0), .red)) }
    }
}
