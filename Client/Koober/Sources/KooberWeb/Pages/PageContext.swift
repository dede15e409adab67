import KooberScreens
import KooberTexts

/// The values that the parts of a page need, and the forms that they share.
struct PageContext: Sendable {
    let screen: KooberScreen
    let language: Language
    /// The token that each form contains.
    let token: String
    /// Increases with each new screen.
    let version: Int
    let memory: PageMemory

    func text(_ phrase: Phrase) -> String { language.text(phrase) }

    /// The text of a button. Texts for the keys of a terminal start in lower case.
    func label(_ phrase: Phrase) -> String {
        let text = text(phrase)
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    /// A form that requests an intention.
    func form(
        _ intention: Intention, _ attributes: (id: String?, classes: String?) = (nil, nil),
        @HTMLBuilder content: () -> HTML
    ) -> HTML {
        tag(
            "form",
            [
                "method": "post", "action": "/intentions", "id": attributes.id, "class": attributes.classes,
                "novalidate": "", "autocomplete": "on",
            ]
        ) {
            void("input", ["type": "hidden", "name": "token", "value": token])
            for field in IntentionFields.hidden(for: intention) {
                void("input", ["type": "hidden", "name": field.name, "value": field.value])
            }
            if let subject = screen.subject(of: intention) {
                void("input", ["type": "hidden", "name": IntentionFields.subject, "value": subject])
            }
            content()
        }
    }

    /// A form that is one button.
    func button(
        _ intention: Intention, _ label: String, style: String? = nil, isEnabled: Bool = true, hasFocus: Bool = false,
        isForEscape: Bool = false
    ) -> HTML {
        let name = IntentionFields.hidden(for: intention)[0].value
        return form(intention) {
            tag(
                "button",
                [
                    "id": "do-\(name)", "class": style, "disabled": isEnabled ? nil : "",
                    "autofocus": hasFocus ? "" : nil, "data-escape": isForEscape ? "" : nil,
                ], label)
        }
    }
}

/// The traces of earlier screens and requests that pages show.
struct PageMemory: Sendable {
    private(set) var screens = ScreenMemory()
    /// The input of the last sent form, without the password: a reloaded page has no other memory.
    private(set) var drafts: [FormField: String] = [:]

    mutating func follow(_ screen: KooberScreen) {
        screens.follow(screen)
        switch screen.content {
        case .signIn, .signUp: break
        default: drafts = [:]
        }
    }

    mutating func keepInput(of form: [String: String]) {
        for field in FormField.allCases where field != .password {
            if let input = form[field] { drafts[field] = input }
        }
    }
}
