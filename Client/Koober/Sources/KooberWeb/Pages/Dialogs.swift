import KooberScreens
import KooberTexts

/// The profile of the user over the content.
enum ProfileDialog {
    /// - Parameter isCovered: whether an error covers the dialog.
    static func html(_ profile: ProfileScreen, _ context: PageContext, isCovered: Bool) -> HTML {
        let facts: [(name: Phrase, value: String)] = [
            (.name, profile.name), (.email, profile.email), (.mobileNumber, profile.mobileNumber),
        ].filter { !$0.1.isEmpty }
        return tag("div", ["class": "cover", "id": "profile", "inert": isCovered ? "" : nil]) {
            tag("div", ["class": "dialog", "role": "dialog", "aria-modal": "true", "aria-labelledby": "profile-title"])
            {
                if !profile.initials.isEmpty {
                    // The initials replace the picture, which is on another server. The name follows as text.
                    tag("p", ["class": "avatar", "aria-hidden": "true"], profile.initials)
                }
                tag("h2", ["id": "profile-title"], context.text(.profile))
                if !facts.isEmpty {
                    tag("dl", ["class": "facts"]) {
                        for fact in facts {
                            tag("div") {
                                tag("dt", context.text(fact.name))
                                tag("dd", fact.value)
                            }
                        }
                    }
                }
                tag(
                    "p", ["id": "profile-status", "role": "status", "class": profile.isSigningOut ? "busy" : nil],
                    profile.isSigningOut ? context.text(.signingOut) : "")
                tag("div", ["class": "actions"]) {
                    context.button(
                        .closeProfile, context.text(.close), style: "primary", isEnabled: !profile.isSigningOut,
                        hasFocus: !isCovered, isForEscape: !isCovered)
                    context.button(.signOut, context.text(.signOut), isEnabled: !profile.isSigningOut)
                }
            }
        }
    }
}

/// An error over everything else.
enum ErrorDialog {
    static func html(_ error: ErrorNote, _ context: PageContext) -> HTML {
        tag("div", ["class": "cover", "id": "error"]) {
            tag(
                "div",
                [
                    "class": "dialog", "role": "alertdialog", "aria-modal": "true", "aria-labelledby": "error-title",
                    "aria-describedby": "error-message",
                ]
            ) {
                tag("h2", ["id": "error-title"], context.text(error.title))
                tag("p", ["id": "error-message"], context.text(error.message))
                tag("div", ["class": "actions"]) {
                    context.button(
                        .acknowledgeError, context.text(.ok), style: "primary", hasFocus: true, isForEscape: true)
                }
            }
        }
    }
}
