import ClientTesting
import KooberKit
import KooberMVVM
import PouchEntities
import Testing

@MainActor @Suite(.timeLimit(.minutes(5)))
struct MainViewModelTests {
    private let errorMessages = ErrorMessages()
    private let main: MainViewModel

    init() { main = MainViewModel(errorMessages: errorMessages) }

    @Test func `a second sign-in does not replace the session`() {
        main.signedIn(to: Sample.session)
        main.signedIn(to: Fixture.session("access-2", id: "ses_2"))
        #expect(main.view == .signedIn(Sample.session))
    }

    @Test func `a session that ends in two ways at once ends once, with the first error`() {
        main.signedIn(to: Sample.session)
        main.notSignedIn(Sample.error)
        main.notSignedIn(nil)
        main.notSignedIn(Sample.laterError)
        #expect(main.view == .onboarding)
        #expect(errorMessages.pending == [Sample.error])
    }

    @Test func `the errors of a session end with it, and so does the work that waits for them`() {
        main.signedIn(to: Sample.session)
        var isContinued = false
        errorMessages.present(Sample.error) { isContinued = true }
        main.notSignedIn(Sample.laterError)
        #expect(errorMessages.pending == [Sample.laterError])
        errorMessages.acknowledge()
        #expect(errorMessages.pending.isEmpty && !isContinued)
    }

    @Test func `an error of the ended session that comes before the next view is not shown there`() {
        main.signedIn(to: Sample.session)
        main.notSignedIn(Sample.error)
        // A request that failed because the session ended.
        errorMessages.present(Sample.laterError)
        #expect(errorMessages.pending == [Sample.error])
        errorMessages.begin()
        errorMessages.present(Sample.laterError)
        #expect(errorMessages.pending == [Sample.error, Sample.laterError])
    }

    @Test func `errors are acknowledged one by one, the oldest first, and each continues its own work`() {
        let errors = [Sample.error, Sample.laterError, ErrorMessage(CancellationError())]
        var continued: [Int] = []
        errorMessages.present(errors[0]) { continued.append(0) }
        errorMessages.present(errors[1])
        errorMessages.present(errors[2]) { continued.append(2) }
        #expect(errorMessages.pending == errors)
        errorMessages.acknowledge()
        #expect(errorMessages.pending == [errors[1], errors[2]])
        #expect(continued == [0])
        errorMessages.acknowledge()
        #expect(continued == [0])
        for _ in 1...2 { errorMessages.acknowledge() }
        #expect(errorMessages.pending.isEmpty)
        #expect(continued == [0, 2])
    }

    @Test func `work that presents the next error when it continues finds its own error gone`() {
        errorMessages.present(Sample.error) { [errorMessages] in errorMessages.present(Sample.laterError) }
        errorMessages.acknowledge()
        #expect(errorMessages.pending == [Sample.laterError])
    }
}
