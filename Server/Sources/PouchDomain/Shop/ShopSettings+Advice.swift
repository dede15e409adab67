import PouchEntities

extension ShopSettings {
    /// Names each setting that has no effect in this shop, and says what to do, in one sentence or two.
    public func advice(in repositories: any Repositories) throws -> [String] {
        let named = Set(taxes.regions.flatMap(\.categoryRates.keys))
        guard !named.isEmpty else { return [] }
        let known = Set(try repositories.outline.categoryNames().map(\.id))
        return named.subtracting(known).sorted().map {
            "The taxes name the category \($0), which the shop does not have, so that its rate applies to nothing. Check "
                + "the id: pouch admin category list."
        }
    }
}
