import PouchApp
import PouchClient
import PouchCoordination
import PouchScreens
import Testing

struct ScreenFailureTests {
    private struct Odd: Error {}

    @Test func `what a screen gave up itself, or took along when it went, is not shown`() {
        for error in [UndeliveredMessage.stopped, .cancelled] { #expect(ScreenFailure(showing: error) == nil) }
        #expect(ScreenFailure(showing: CancellationError()) == nil)
    }

    @Test func `everything else has a text for people`() {
        let unhandled = UnhandledMessage(family: "CartMessages", sender: "Screen", fileID: "A/B.swift", line: 1)
        #expect(ScreenFailure(showing: unhandled)?.text == "That cannot be done here.")
        #expect(ScreenFailure(showing: Odd())?.text == "That did not work.")
        let error = DataError(.cartEmpty)
        #expect(ScreenFailure(showing: error)?.text == error.errorDescription)
        #expect(ScreenFailure(showing: error)?.advice == error.recoverySuggestion)
        let failure = ScreenFailure("No.", remedy: .review)
        #expect(ScreenFailure(showing: failure) == failure)
    }
}
