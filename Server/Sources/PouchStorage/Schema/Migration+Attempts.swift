extension Migration {
    /// Names the attempts behind failed sign-ins, so that one can be removed alone.
    static let attempts = Migration(
        version: 7,
        name: "attempts",
        sql: """
            ALTER TABLE sign_in_failures ADD COLUMN attempt TEXT;

            """
    )
}
