extension Migration {
    /// Adds to each webhook the member or the key that has added it, so that it ends with the right to add it. Keys and
    /// invitations whose makers no longer have that right end here; those of earlier releases outlasted it.
    static let grants = Migration(
        version: 23,
        name: "grants",
        sql: """
            ALTER TABLE webhooks ADD COLUMN added_by TEXT;
            UPDATE api_keys SET revoked_at = created_at WHERE revoked_at IS NULL AND created_by NOT IN (
                SELECT id FROM accounts WHERE role = 'admin' AND COALESCE(staff_role, 'owner') = 'owner');
            DELETE FROM staff_invitations WHERE invited_by NOT IN (
                SELECT id FROM accounts WHERE role = 'admin' AND COALESCE(staff_role, 'owner') = 'owner');

            """
    )
}
