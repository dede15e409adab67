#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    /// How many units; what the server would refuse anyway is refused here, with a better text.
    struct Quantity: ExpressibleByArgument {
        let units: Int

        init?(argument: String) {
            guard let units = Int(argument), ModelLimits.quantity.contains(units) else { return nil }
            self.init(units)
        }

        init(_ units: Int) {
            self.units = units
        }

        var defaultValueDescription: String { String(units) }
    }
#endif
