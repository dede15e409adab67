import PouchEntities
import PouchStorage

/// How a charge stands in its table.
enum ChargeRow {
    static let columns = "key, status, decline_code, amount, currency, captured, refunded, created_at"
    static let count = 8

    static func charge(_ row: SQLRow) throws -> SandboxCharge {
        guard let status = SandboxCharge.Status(rawValue: try row.text(1)) else {
            throw StorageError.corrupt("a charge has an unknown status")
        }
        return SandboxCharge(
            key: try row.text(0),
            status: status,
            declineCode: try row.optional(2, SQLRow.text),
            amount: try row.integer(3),
            currency: try row.optional(4, SQLRow.text).flatMap { Currency(code: $0) },
            captured: try row.integer(5),
            refunded: try row.integer(6),
            createdAt: try row.optional(7, SQLRow.date)
        )
    }

    static func values(_ charge: SandboxCharge) -> [SQLValue] {
        [
            .text(charge.key), .text(charge.status.rawValue), .optional(charge.declineCode), .integer(charge.amount),
            .optional(charge.currency?.code), .integer(charge.captured), .integer(charge.refunded),
            .time(charge.createdAt),
        ]
    }
}
