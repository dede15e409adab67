import PouchEntities

extension Product {
    /// Units of all variants, at most `Int.max`: a server may claim any figures.
    public var available: Int {
        variants.reduce(0) { sum, variant in
            let (next, overflows) = sum.addingReportingOverflow(max(0, variant.available))
            return overflows ? .max : next
        }
    }
}
