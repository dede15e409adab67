#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    /// Units of a SKU, as in `wool-scarf=2`; one where no number stands.
    struct RefundLine: ExpressibleByArgument {
        let line: Refund.Line

        init?(argument: String) {
            guard let sign = argument.lastIndex(of: "="), let units = Int(argument[argument.index(after: sign)...])
            else {
                line = Refund.Line(sku: argument, quantity: 1)
                return
            }
            guard ModelLimits.quantity.contains(units) else { return nil }
            line = Refund.Line(sku: String(argument[..<sign]), quantity: units)
        }
    }
#endif
