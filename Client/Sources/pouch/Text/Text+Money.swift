#if TerminalPrograms
    import PouchClient

    extension Text {
        init(_ money: Money) {
            self.init("\(money.decimal) \(money.currency.code)")
        }

        /// The price, with the one before a reduction struck out behind it.
        init(price: Money, before: Money?) {
            self.init(price)
            if let before, before != price {
                self = self + " " + Text(before.decimal, .struckOut, plain: "(was \(before.decimal))")
            }
        }
    }
#endif
