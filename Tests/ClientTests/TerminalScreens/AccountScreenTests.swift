import PouchEntities
import PouchScreens
import PouchTerminal
import PouchTerminalScreens
import PouchTesting
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5)))
struct AccountScreenTests {
    private let shown = ScreenUnderTest()

    @Test("Signing in needs an address and a password, which is neither shown nor kept")
    func signIn() async throws {
        let screen = shown.factory.makeSignInScreen()
        screen.email = "ann@example.com"
        shown.show(screen)
        shown.press(.down)
        shown.type("correct horse")
        #expect(shown.text.contains("› Password          •••••••••••••\n"))
        #expect(!shown.text.contains("horse"))
        shown.press(.enter)
        #expect(try await shown.messages(1) == [SignIn(email: "ann@example.com", password: "correct horse")])
        try await shown.wait { !shown.text.contains("•") }
    }

    @Test("Signing in cannot be cancelled, since the guest's cart may already be merged")
    func commitment() async throws {
        let screen = shown.factory.makeSignInScreen()
        screen.email = "ann@example.com"
        shown.show(screen)
        let gate = Gate()
        shown.shop.gate = gate
        shown.press(.down)
        shown.type("correct horse")
        shown.press(.enter)
        _ = try await shown.messages(1)
        shown.press(.escape)
        #expect(shown.lines.last?.contains("please wait") == true)
        gate.open()
        try await shown.wait { !shown.text.contains("Signing in …") }
        #expect(!shown.text.contains("•"))
    }

    @Test("The code of a second factor is asked for once the shop wants it, and sent with the password")
    func code() async throws {
        let screen = shown.factory.makeSignInScreen()
        screen.email = "ann@example.com"
        shown.show(screen)
        #expect(!shown.text.contains("Code"))
        shown.shop.failure = ScreenFailure(
            "This account needs a code.", remedy: .correct, fields: [.init(name: "code", text: "Enter the code.")])
        shown.press(.down)
        shown.type("correct horse")
        shown.press(.enter)
        try await shown.wait(for: "This account needs a code.")
        shown.shop.failure = nil
        shown.press(.enter)
        #expect(shown.text.contains("› Code\n    Enter the code."))
        shown.type("123456")
        #expect(!shown.text.contains("Enter the code."))
        shown.press(.enter)
        #expect(
            try await shown.messages(2)[1]
                == SignIn(email: "ann@example.com", password: "correct horse", code: "123456"))
        try await shown.wait { !shown.text.contains("Code") }
    }

    @Test("A missing password is reported at its field")
    func incompleteSignIn() {
        let screen = shown.factory.makeSignInScreen()
        shown.show(screen)
        shown.type("ann@example.com")
        shown.press(.enter, .enter)
        #expect(shown.text.contains("› Password\n    This field is required."))
        #expect(shown.shop.messages.isEmpty)
    }

    @Test("A failure is shown until the user confirms it, and each invalid field shows its reason")
    func refusal() async throws {
        let screen = shown.factory.makeRegisterScreen()
        shown.show(screen)
        for text in ["Ann", "ann@example.com", "", "short", "short"] {
            shown.type(text)
            if text != "short" { shown.press(.down) } else { shown.press(.tab) }
        }
        shown.shop.failure = ScreenFailure(
            "Some fields are invalid.", advice: "Correct them and try again.", remedy: .correct,
            fields: [.init(name: "password", text: "It needs 8 characters.")])
        shown.press(.enter)
        #expect(
            try await shown.messages(1) == [Register(name: "Ann", email: "ann@example.com", password: "short")])
        try await shown.wait(for: "Some fields are invalid.")
        #expect(shown.text.contains("Correct them and try again."))
        #expect(shown.lines.last == "Enter OK")
        shown.press(.character("x"), .enter)
        #expect(!shown.text.contains("Some fields"))
        #expect(shown.text.contains("› Password          •••••\n    It needs 8 characters."))
    }

    @Test("Different passwords and missing fields are refused before anything is sent")
    func passwords() {
        let screen = shown.factory.makeRegisterScreen()
        shown.show(screen)
        shown.press(.down, .down, .down, .down, .enter)
        #expect(shown.text.contains("› Name\n    This field is required."))
        shown.type("Ann")
        shown.press(.down)
        shown.type("ann@example.com")
        shown.press(.down, .down)
        shown.type("long enough")
        shown.press(.down)
        shown.type("long enouhg")
        shown.press(.enter)
        #expect(shown.text.contains("The two passwords differ."))
        #expect(shown.shop.messages.isEmpty)
    }

    @Test("The profile can be changed, and leads to the orders and to signing out")
    func profile() async throws {
        let screen = shown.factory.makeProfileScreen()
        screen.profile = LoadState(Profile(id: "acc_1", name: "Ann", email: "ann@example.com", mobileNumber: "1"))
        shown.show(screen)
        shown.press(.enter)
        #expect(try await shown.messages(1) == [ShopPage.orders])
        try await shown.wait(for: "q leave")
        shown.press(.down, .down)
        shown.type("e")
        shown.press(.down, .backspace, .down, .enter)
        #expect(try await shown.messages(2)[1] == UpdateProfile(name: "Anne", mobileNumber: ""))
        try await shown.wait(for: "Saved.")
        shown.press(.enter, .pageUp, .down, .enter)
        #expect(shown.text.contains("Sign out?"))
        shown.press(.enter)
        #expect(try await shown.messages(3)[2] == SignOut())
    }

    @Test("The password is changed with the current one, and the account is deleted only after a question")
    func passwordAndEnd() async throws {
        let screen = shown.factory.makeProfileScreen()
        screen.profile = LoadState(Profile(id: "acc_1", name: "Ann", email: "ann@example.com", mobileNumber: "1"))
        shown.show(screen)
        shown.press(.down, .down, .down, .down, .down)
        shown.type("old secret")
        shown.press(.down)
        shown.type("new secret")
        shown.press(.down, .enter)
        #expect(try await shown.messages(1) == [ChangePassword(from: "old secret", to: "new secret")])
        try await shown.wait(for: "Your password has been changed")
        #expect(!shown.text.contains("secret") && !shown.text.contains("•"))
        shown.press(.enter, .down, .enter)
        #expect(shown.text.contains("This field is required."))
        shown.type("new secret")
        shown.press(.down, .down, .down, .enter)
        #expect(shown.text.contains("Delete the account permanently?"))
        // Pressed twice by mistake.
        shown.press(.enter)
        #expect(shown.lines.last == "y delete it  Esc keep it")
        shown.press(.character("y"))
        #expect(try await shown.messages(2)[1] == DeleteAccount(password: "new secret"))
    }
}
