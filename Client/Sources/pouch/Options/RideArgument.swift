#if TerminalPrograms
    import ArgumentParser

    /// Which ride.
    struct RideArgument: ParsableArguments {
        @Argument(help: "The ride's id, as `pouch ride list` lists it.")
        var id: String
    }
#endif
