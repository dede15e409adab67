import Foundation
import PouchDomain
import PouchEntities

extension ShopDatabase.Transaction {
    public var staff: any StaffRepository { SQLStaff(connection: connection) }
}

extension AccountRecord.Role {
    /// Creates a role from the columns `role` and `staff_role`.
    init(_ row: SQLRow, _ index: Int, _ staffIndex: Int) throws {
        switch try row.text(index) {
        case "customer": self = .customer
        case "admin":
            let role = try row.optional(staffIndex, SQLRow.text).flatMap(StaffRole.init(rawValue:))
            self = .staff(role ?? .unrecognised)
        default: throw StorageError.corrupt("the role of an account")
        }
    }

    var columns: [SQLValue] {
        [.text(staffRole == nil ? "customer" : "admin"), .optional(staffRole?.rawValue)]
    }
}

struct SQLStaff: StaffRepository {
    let connection: any SQLConnection

    func staffStatus(sessionId: String) throws -> StaffStatus? {
        try connection.row(
            """
            SELECT a.role, a.staff_role, COALESCE(s.confirmed_at, s.created_at),
                (SELECT 1 FROM second_factors f WHERE f.account_id = a.id AND f.enabled_at IS NOT NULL)
            FROM sessions s JOIN accounts a ON a.id = s.account_id WHERE s.id = ?
            """, [.text(sessionId)]
        ).map { row in
            StaffStatus(
                role: try AccountRecord.Role(row, 0, 1).staffRole,
                hasSecondFactor: try row.optional(3, SQLRow.integer) != nil, confirmedAt: try row.date(2))
        }
    }

    func members(after id: String?, limit: Int, at now: Date) throws -> [StaffMember] {
        let page = SQLPage(after: id, limit: limit)
        return try connection.rows(
            """
            SELECT id, role, staff_role, email, name, has_factor, expires_at FROM (
                SELECT id, role, staff_role, email, name,
                    (SELECT 1 FROM second_factors f WHERE f.account_id = accounts.id AND f.enabled_at IS NOT NULL)
                        AS has_factor,
                    CAST(NULL AS BIGINT) AS expires_at
                FROM accounts WHERE role = 'admin'
                UNION ALL
                SELECT id, 'admin', role, email, NULL, NULL, expires_at FROM staff_invitations WHERE expires_at > ?
            ) members \(page.sql)
            """, [.time(now)] + page.arguments
        ).map { row in
            let expiry = try row.optional(6, SQLRow.date)
            return StaffMember(
                id: try row.text(0), status: expiry == nil ? .active : .invited,
                role: try AccountRecord.Role(row, 1, 2).staffRole ?? .unrecognised, email: try row.text(3),
                name: try row.optional(4, SQLRow.text),
                hasSecondFactor: expiry == nil ? try row.optional(5, SQLRow.integer) != nil : nil,
                invitationExpiresAt: expiry)
        }
    }

    func countOwners() throws -> Int {
        try connection.row(
            "SELECT COUNT(*) FROM accounts WHERE role = 'admin' AND COALESCE(staff_role, 'owner') = 'owner'", []
        )?.int(0) ?? 0
    }

    func setRole(_ role: AccountRecord.Role, accountId: String) throws {
        try connection.run(
            "UPDATE accounts SET role = ?, staff_role = ? WHERE id = ?", role.columns + [.text(accountId)])
    }

    // MARK: Invitations

    func insert(_ invitation: StaffInvitation) throws {
        try connection.run("DELETE FROM staff_invitations WHERE email = ?", [.text(invitation.email)])
        try connection.run(
            """
            INSERT INTO staff_invitations (id, email, role, invited_by, created_at, expires_at)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            [
                .text(invitation.id), .text(invitation.email), .text(invitation.role.rawValue),
                .text(invitation.invitedBy), .time(invitation.createdAt), .time(invitation.expiresAt),
            ])
    }

    func invitation(id: String) throws -> StaffInvitation? {
        try connection.row(
            "SELECT email, role, invited_by, created_at, expires_at FROM staff_invitations WHERE id = ?", [.text(id)]
        ).map { row in
            StaffInvitation(
                id: id, email: try row.text(0), role: StaffRole(rawValue: try row.text(1)) ?? .unrecognised,
                invitedBy: try row.text(2), createdAt: try row.date(3), expiresAt: try row.date(4))
        }
    }

    func deleteInvitation(id: String) throws {
        try connection.run("DELETE FROM staff_invitations WHERE id = ?", [.text(id)])
    }

    func deleteInvitations(by accountId: String) throws {
        try connection.run("DELETE FROM staff_invitations WHERE invited_by = ?", [.text(accountId)])
    }
}

extension ShopDatabase.Transaction {
    public var secondFactors: any SecondFactorRepository { SQLSecondFactors(connection: connection) }
}

struct SQLSecondFactors: SecondFactorRepository {
    let connection: any SQLConnection

    func factor(accountId: String) throws -> SecondFactorRecord? {
        try connection.row(
            "SELECT secret, enabled_at, last_step FROM second_factors WHERE account_id = ?", [.text(accountId)]
        ).map { row in
            SecondFactorRecord(
                secret: try row.data(0), isEnabled: try row.optional(1, SQLRow.integer) != nil,
                lastStep: try row.integer(2))
        }
    }

    func begin(secret: Data, accountId: String, at: Date) throws {
        try connection.run(
            """
            INSERT INTO second_factors (account_id, secret, created_at) VALUES (?, ?, ?)
            ON CONFLICT (account_id) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at
            WHERE second_factors.enabled_at IS NULL
            """, [.text(accountId), .blob(secret), .time(at)])
    }

    func enable(accountId: String, step: Int64, recoveryHashes: [Data], at: Date) throws {
        try connection.run(
            "UPDATE second_factors SET enabled_at = ?, last_step = ? WHERE account_id = ?",
            [.time(at), .integer(step), .text(accountId)])
        try connection.insert(
            into: "recovery_codes (account_id, hash)", recoveryHashes.map { [.text(accountId), .blob($0)] })
    }

    func use(step: Int64, accountId: String) throws -> Bool {
        try connection.run(
            "UPDATE second_factors SET last_step = ? WHERE account_id = ? AND last_step < ?",
            [.integer(step), .text(accountId), .integer(step)]) == 1
    }

    func use(recoveryHash: Data, accountId: String) throws -> Bool {
        try connection.run(
            "DELETE FROM recovery_codes WHERE account_id = ? AND hash = ?", [.text(accountId), .blob(recoveryHash)])
            == 1
    }

    func recoveryCodesLeft(accountId: String) throws -> Int {
        try connection.row("SELECT COUNT(*) FROM recovery_codes WHERE account_id = ?", [.text(accountId)])?.int(0) ?? 0
    }

    func delete(accountId: String) throws -> Bool {
        try connection.run("DELETE FROM second_factors WHERE account_id = ?", [.text(accountId)]) == 1
    }
}
