#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    /// A percentage with up to two places, as in 12.5.
    struct Percentage: ExpressibleByArgument {
        let basisPoints: Int

        init?(argument: String) {
            let halves = argument.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
            let places = halves.count > 1 ? halves[1] : "0"
            guard (1...2).contains(places.count), (halves[0] + places).allSatisfy({ $0.isASCII && $0.isNumber }),
                let whole = Int(halves[0]), whole <= 100,
                let hundredths = Int(places.count == 1 ? places + "0" : places)
            else { return nil }
            basisPoints = whole * 100 + hundredths
            guard ModelLimits.discountBasisPoints.contains(basisPoints) else { return nil }
        }
    }
#endif
