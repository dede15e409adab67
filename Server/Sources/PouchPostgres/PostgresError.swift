import CLibpq
import Foundation
import PouchDomain

/// An error of the database server, or the loss of the connection.
struct PostgresError: Error, CustomStringConvertible {
    /// The five characters of SQLSTATE; empty when the connection was lost without an error.
    let code: String
    let message: String
    let constraint: String?

    var description: String {
        "\(message)\(constraint.map { " [\($0)]" } ?? "") (SQLSTATE \(code.isEmpty ? "none" : code))"
    }

    /// The reaction to an error.
    enum Remedy {
        /// A conflict with another transaction: run again.
        case again
        /// A row was inserted by another transaction, or the statement is wrong: running again tells which.
        case lookAgain
        /// The connection or its prepared statements are lost.
        case anotherConnection
        case none
    }

    var remedy: Remedy {
        switch code {
        case "40001", "40P01": .again
        case "23505": .lookAgain
        case "", "57P01", "57P02", "57P03", "25P03", "26000": .anotherConnection
        case "0A000" where message.contains("cached plan"): .anotherConnection
        case let code where code.hasPrefix("08"): .anotherConnection
        default: .none
        }
    }

    static let lost = PostgresError(code: "", message: "the connection was lost", constraint: nil)
}

extension PostgresError {
    /// Omits the server's detail, which contains values of the row.
    init(_ result: OpaquePointer) {
        func field(_ name: UInt8) -> String? {
            PQresultErrorField(result, Int32(name)).map { String(cString: $0) }
        }
        code = field(UInt8(ascii: "C")) ?? ""
        message = field(UInt8(ascii: "M")) ?? Self.lost.message
        constraint = field(UInt8(ascii: "n"))
    }
}

/// The limit on the repetitions of one transaction.
///
/// After a conflict, up to 20 within 10 s (a deadlock is detected after 1 s), with full jitter: a random wait of up to
/// 5 ms, then 10, 20, and at most 100 ms. On another connection, two. After an insert by another transaction, two.
struct RetryBudget {
    private var conflicts = 0
    private var duplicates = 0
    private var losses = 0
    private let end = ContinuousClock.now + .seconds(10)

    /// Waits on this thread until the transaction should run again.
    ///
    /// - Throws: the error when running again would not help, or a limit is reached; instead of it `OverloadError`
    ///   after too many conflicts, and `UnavailableError` after too many lost connections.
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
