import Foundation
import ServerTesting
import Testing

@testable import chaos

@Suite("Shopping over bad networks", .timeLimit(.minutes(10)))
struct ChaosTests {
    @Test func `After 300 shoppers nothing was done twice, nothing is lost, and no shopper is signed out`() async throws
    {
        let first = UInt64.random(in: 1...999_999)
        let folder = try TemporaryFolder()
        let outcome = try await Chaos(seeds: first..<first + 300).run(in: folder.url)
        #expect(outcome.violations.isEmpty, "\(outcome.summary)")
    }
}
