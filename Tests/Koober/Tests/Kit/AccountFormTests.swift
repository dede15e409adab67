import KooberKit
import KooberTexts
import PouchEntities
import Testing

@Suite
struct AccountFormTests {
    @Test func `blanks around the input are dropped, but those of the password`() throws {
        let credentials = try Credentials(email: " ada@example.org\n", password: Secret(" horse "))
        #expect(credentials.email == "ada@example.org")
        #expect(credentials.password == Secret(" horse "))
        let account = try NewAccount(
            name: " Ada ", email: " a@b.c", mobileNumber: " ", password: Secret(" "))
        #expect([account.name, account.email, account.mobileNumber] == ["Ada", "a@b.c", ""])
    }

    @Test func `each empty field has its own problem, in the order of the form`() {
        let error = #expect(throws: ErrorMessage.self) {
            try NewAccount(name: " ", email: "", mobileNumber: "", password: Secret())
        }
        #expect(error?.title == .signUpFailed)
        #expect(error?.fields == [.name: .nameMissing, .email: .emailMissing, .password: .passwordMissing])
        #expect(error?.message == .sentences([.nameMissing, .emailMissing, .passwordMissing]))
        let signIn = #expect(throws: ErrorMessage.self) { try Credentials(email: "a@b.c", password: Secret()) }
        #expect(signIn?.title == .signInFailed)
        #expect(signIn?.fields == [.password: .passwordMissing])
        #expect(signIn?.message == .sentences([.passwordMissing]))
    }

    @Test(arguments: [FormField.name, .email, .password])
    func `only the empty field has a problem`(_ empty: FormField) {
        func input(_ field: FormField) -> String { field == empty ? "" : "filled" }
        let error = #expect(throws: ErrorMessage.self) {
            try NewAccount(
                name: input(.name), email: input(.email), mobileNumber: "", password: Secret(input(.password)))
        }
        #expect(error?.fields.keys.map { $0 } == [empty])
    }

    @Test func `a mobile number is optional, and a password of blanks is a password`() throws {
        let account = try NewAccount(name: "Ada", email: "a@b.c", mobileNumber: "", password: Secret("  "))
        #expect(account.password == Secret("  "))
    }

    @Test func `two errors with the same text are different errors`() {
        let errors = [1, 2].map { _ in ErrorMessage(title: .signInFailed, message: .wrongCredentials) }
        #expect(errors[0] != errors[1])
    }
}
