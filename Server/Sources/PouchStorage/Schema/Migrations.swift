extension Migration {
    /// The migrations of a shop's database, in their order.
    ///
    /// Append a new one under the next version. A released migration never changes: every database stores the text that
    /// it was migrated with, and a server refuses to start when the texts differ.
    static let all = [initial, commerce, revisions, discounts, holds, rides, attempts]

    /// Names the attempts behind failed sign-ins, so that one can be removed alone.
    static let attempts = Migration(
        version: 7,
        name: "attempts",
        sql: """
            ALTER TABLE sign_in_failures ADD COLUMN attempt TEXT;

            """
    )
}
