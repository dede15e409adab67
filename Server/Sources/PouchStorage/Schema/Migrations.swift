extension Migration {
    /// The migrations of a shop's database, in the order in which they are applied.
    ///
    /// A new one goes to the end under the next version. None of them changes once it is released: every database keeps
    /// the text that it was migrated with, and a server refuses to start where the two differ.
    static let all = [initial, commerce, revisions, discounts, holds, rides]
}
