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
        /// A row was inserted by another transaction, or the statement is wrong: running it again shows which.
        case retryAfterDuplicate
        /// The connection or its prepared statements are lost.
        case reconnect
        /// A statement or its wait for a lock took too long: the database is overloaded.
        case later
        /// The server lacks a resource, or accepts only reads.
        case unavailable
        case none
    }

    var remedy: Remedy {
        switch code {
        case "40001", "40P01": .again
        case "23505": .retryAfterDuplicate
        case "55P03", "57014": .later
        case let code where code.hasPrefix("53") || code.hasPrefix("58"): .unavailable
        case "", "57P01", "57P02", "57P03", "25P03", "26000": .reconnect
        case "0A000" where message.contains("cached plan"): .reconnect
        // A transaction that writes, on a standby.
        case "0A000" where message.contains("recovery"): .unavailable
        case let code where code.hasPrefix("08"): .reconnect
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

/// The limit on repetitions of one transaction.
///
/// After a conflict, up to 20 repetitions within 20 s (a deadlock is detected after 1 s), with full jitter: a random
/// pause of up to 5 ms, then 10, 20, and at most 320 ms, so that writers of one row get their turn although each
/// transaction is slow. On another connection, two. After an insert by another transaction, two.
struct RetryBudget {
    private static let backoff = Backoff(first: .milliseconds(5), longest: .milliseconds(320))

    private var conflicts = 0
    private var duplicates = 0
    private var losses = 0
    private let end = ContinuousClock.now + .seconds(20)

    /// The pause after which the transaction should run again.
    ///
    /// - Throws: the error when running again would not help, or a limit is reached; but `OverloadError` after too many
    ///   conflicts or at a time limit, and `UnavailableError` after too many lost connections.
    mutating func pause(after error: any Error) throws -> Duration {
        if error is TransactionConflict { return try conflict() }
        guard let error = error as? PostgresError else { throw error }
        switch error.remedy {
        case .again: return try conflict()
        case .retryAfterDuplicate:
            duplicates += 1
            if duplicates > 2 { throw error }
        case .reconnect:
            losses += 1
            if losses > 2 { throw UnavailableError(reason: "\(error)") }
        case .later: throw OverloadError(retryAfterSeconds: 1)
        case .unavailable: throw UnavailableError(reason: "\(error)", isFull: error.code == "53100")
        case .none: throw error
        }
        return .zero
    }

    private mutating func conflict() throws -> Duration {
        conflicts += 1
        guard conflicts <= 20, ContinuousClock.now < end else { throw OverloadError(retryAfterSeconds: 1) }
        return Self.backoff.pause(after: conflicts) * Double.random(in: 0...1)
    }
}
