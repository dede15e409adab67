import ClientTesting
import KooberKit
import KooberTexts
import PouchData
import PouchEntities
import PouchManagers
import PouchNetwork
import PouchService
import PouchTesting
import PouchWire
import Testing

struct AccountFormTests {
    @Test func `blanks around the input are dropped, but those of the password`() throws {
        let credentials = try Credentials(email: " ada@example.org\n", password: Secret(" horse "))
        #expect(credentials.email == "ada@example.org")
        #expect(credentials.password == Secret(" horse "))
        let account = try NewAccount(name: " Ada ", email: " a@b.c", mobileNumber: " ", password: Secret(" "))
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

    @Test func `two errors with the same text are different errors`() {
        let errors = [1, 2].map { _ in ErrorMessage(title: .signInFailed, message: .wrongCredentials) }
        #expect(errors[0] != errors[1])
    }
}

/// The service's problems, as the model layer reports them.
@Suite(.timeLimit(.minutes(5)))
struct ErrorMessageTests {
    private func error(of answer: NetworkResponse) async throws -> ErrorMessage? {
        let service = try makeService(over: StubTransport { _ in answer }, store: MemorySessionStore())
        let api = PouchAuthRemoteAPI(
            account: AccountManager(data: DataManager(service: service)), setRenewalWriter: { _ in })
        let account = try NewAccount(name: "Ada", email: "ada", mobileNumber: "x", password: Secret("short"))
        return await #expect(throws: ErrorMessage.self) { try await api.signUp(account) }
    }

    private func invalid(_ problems: [(field: String, detail: String)]) -> NetworkResponse {
        let errors = problems.map { FieldProblem(field: $0.field, code: "invalid", detail: $0.detail) }
        return .json(Problem(.validationFailed, errors: errors), status: 422)
    }

    @Test func `the service's validation is reported by field, the first problem of each`() async throws {
        let error = try await error(
            of: invalid([
                ("password", "Too short."), ("email", "No address."), ("password", "Too common."),
                ("mobileNumber", "No number."),
            ]))
        #expect(error?.title == .signUpFailed)
        #expect(
            error?.fields == [
                .email: .verbatim("No address."), .mobileNumber: .verbatim("No number."),
                .password: .verbatim("Too short."),
            ])
    }

    @Test func `a problem with a field that no form has is not lost: the message says it`() async throws {
        let error = try #require(try await error(of: invalid([("age", "Too young.")])))
        #expect(error.fields.isEmpty)
        #expect(Language.english.text(error.message).contains("Too young."))
    }

    @Test(arguments: [
        (ProblemCode.emailTaken, Phrase.emailTaken), (.forbidden, .forbidden), (.notFound, .notFound),
        (.tooManyAttempts, .tooManyAttempts(seconds: nil)), (.invalidCredentials, .wrongCredentials),
        (.internalError, .serverFailed),
    ])
    func `a problem of no field says what to do, in Koober's words`(_ code: ProblemCode, _ phrase: Phrase) async throws
    {
        let error = try await error(of: .problem(code))
        #expect(error?.fields.isEmpty == true && error?.message == phrase)
    }

    @Test func `an unexpected problem says it in the words of the service`() async throws {
        let error = try #require(try await error(of: .problem(.methodNotAllowed, detail: "The moon is in the way.")))
        #expect(Language.german.text(error.message).contains("The moon is in the way."))
    }

    @Test func `an error from elsewhere has a text, too`() {
        #expect(ErrorMessage(CancellationError()).title == .somethingWentWrong)
        let known = ErrorMessage(title: .signedOut, message: .tryAgain)
        #expect(ErrorMessage(known) == known)
    }
}
