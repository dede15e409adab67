#if TerminalPrograms
    import PouchClient
    import PouchTerminalScreens

    extension TotalsText {
        /// - Parameter isShippingOpen: as with `rows`.
        static func blocks(
            _ totals: Totals, discount: CartDiscount? = nil, isShippingOpen: Bool = false
        ) -> [Block] {
            let rows = rows(totals, discount: discount, isShippingOpen: isShippingOpen).map { [$0.name, $0.sum] }
            return [.table(Table(columns: [.init(title: ""), .init(title: "", isNumber: true)], rows: rows))]
        }
    }
#endif
