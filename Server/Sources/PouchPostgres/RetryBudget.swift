import Foundation
import PouchDomain

/// How often one transaction is run again.
///
/// Where another was in the way, up to 20 times within 10 s (a deadlock is noticed after 1 s), after a wait of full
/// jitter: at random up to 5 ms, then 10, 20, and at most 100 ms. On another connection twice. For a row that another
/// made meanwhile, twice.
struct RetryBudget {
    private var conflicts = 0
    private var duplicates = 0
    private var losses = 0
    private let end = ContinuousClock.now + .seconds(10)

    /// Returns when the transaction is to be run again, on this thread.
    ///
    /// - Throws: what comes out once the budget is spent.
    mutating func pause(after error: any Error) throws {
        switch error {
        case is TransactionConflict: try wait()
        case let error as PostgresError:
            switch error.remedy {
            case .again: try wait()
            case .lookAgain:
                duplicates += 1
                if duplicates > 2 { throw error }
            case .anotherConnection:
                losses += 1
                if losses > 2 { throw UnavailableError(reason: "\(error)") }
            case .none: throw error
            }
        default: throw error
        }
    }

    private mutating func wait() throws {
        conflicts += 1
        guard conflicts <= 20, ContinuousClock.now < end else { throw OverloadError(retryAfterSeconds: 1) }
        let longest = min(0.1, 0.005 * pow(2, Double(conflicts - 1)))
        Thread.sleep(forTimeInterval: .random(in: 0...longest))
    }
}
