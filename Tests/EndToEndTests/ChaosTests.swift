import ClientTesting
import Foundation
import ServerTesting
import Testing

@testable import chaos

/// The seeds are fixed, so that a failure is that of the change; `make torture` draws them.
@Suite("Shopping over bad networks", .timeLimit(.minutes(10)))
struct ChaosTests {
    @Test func `After 300 shoppers nothing was done twice, nothing is lost, and no shopper is signed out`() async throws
    {
        let folder = try TemporaryFolder()
        let outcome = try await Chaos(seeds: 1..<301).run(in: folder.url)
        #expect(outcome.violations.isEmpty, "\(outcome.summary)")
    }
}
