extension Migration {
    /// The migrations of a shop's database, in their order.
    ///
    /// Append a new one under the next version. A released migration never changes: every database stores the text that
    /// it was migrated with, and a server refuses to start when the texts differ.
    static let all = [initial, commerce, revisions, discounts, holds, rides, attempts]
}
