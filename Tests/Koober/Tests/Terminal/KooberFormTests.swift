import KooberScreens
import KooberTexts
import PouchEntities
import PouchTerminal
import PouchTesting
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct KooberFormTests {
    private let shown = WindowUnderTest()
    private let signIn = KooberScreen(.signIn(FormScreen()))

    @Test func `A form is sent with Enter, hides the password, and keeps its texts while busy and after an error`()
        async throws
    {
        try await shown.show(signIn)
        shown.type("johnny@gmail.com", .enter)
        shown.type("password")
        #expect(shown.focused == "› Password          ••••••••")
        shown.press(.enter)
        #expect(shown.app.intentions == [.signIn(email: "johnny@gmail.com", password: Secret("password"))])
        try await shown.show(KooberScreen(.signIn(FormScreen(isBusy: true))))
        #expect(shown.text.contains("Signing in …"))
        shown.type("x")
        #expect(shown.text.contains("Password          ••••••••\n"))
        try await shown.show(
            KooberScreen(signIn.content, error: ErrorNote(title: .signInFailed, message: .wrongCredentials)))
        shown.type("x", .enter)
        #expect(shown.app.intentions.last == .acknowledgeError)
        try await shown.show(signIn)
        #expect(shown.text.contains("E-mail            johnny@gmail.com"))
        #expect(shown.focused == "› Password          ••••••••")
        shown.press(.enter)
        #expect(shown.app.intentions.count == 3)
    }

    @Test func `A form that is opened again is empty`() async throws {
        try await shown.show(signIn)
        shown.type("johnny@gmail.com", .enter)
        shown.type("password", .escape)
        #expect(shown.app.intentions == [.goBack])
        try await shown.show(KooberScreen(.welcome))
        try await shown.show(signIn)
        #expect(!shown.text.contains("johnny") && !shown.text.contains("•"))
    }

    @Test func `Empty fields are sent too: the app checks them`() async throws {
        try await shown.show(KooberScreen(.signUp(FormScreen())))
        shown.press(.down, .down, .down, .down, .enter)
        #expect(shown.app.intentions == [.signUp(name: "", email: "", mobileNumber: "", password: Secret(""))])
    }

    @Test func `Each problem stands below its field, and the cursor is in the first of these fields`() async throws {
        try await shown.show(KooberScreen(.signUp(FormScreen())))
        shown.type("Johnny")
        shown.press(.down, .down, .down, .down)
        #expect(shown.focused == "› [ Create an account ]")
        try await shown.show(
            KooberScreen(.signUp(FormScreen(problems: [.password: .passwordMissing, .email: .emailMissing]))))
        let lines = shown.lines
        #expect(
            lines[2...7].map { $0.trimmingPrefix("›").trimmingPrefix(" ").trimmingPrefix(" ") } == [
                "Name              Johnny", "E-mail", "Enter your e-mail address.", "Mobile number", "Password",
                "Enter a password.",
            ])
        #expect(shown.focused.hasPrefix("› E-mail"))
        shown.type("a@example.com")
        #expect(shown.text.contains("› E-mail            a@example.com"))
    }

    @Test func `The cursor stays where the user writes while the problems stay`() async throws {
        let problems: [FormField: Phrase] = [.email: .emailMissing, .password: .passwordMissing]
        try await shown.show(KooberScreen(.signIn(FormScreen(problems: problems))))
        shown.press(.down)
        shown.type("pass")
        try await shown.show(KooberScreen(.signIn(FormScreen(problems: problems)), isOffline: true))
        shown.type("word")
        #expect(shown.focused == "› Password          ••••••••")
    }

    @Test func `The cursor goes back to the first problem if the form is sent with the same problems again`()
        async throws
    {
        try await shown.show(KooberScreen(.signIn(FormScreen(problems: [.email: .emailMissing]))))
        shown.press(.down)
        shown.type("password")
        #expect(shown.focused.hasPrefix("› Password"))
        shown.press(.enter)
        #expect(shown.app.intentions == [.signIn(email: "", password: Secret("password"))])
        #expect(shown.focused.hasPrefix("› E-mail"))
    }
}
