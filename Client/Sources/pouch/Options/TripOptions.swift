#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    /// From where to where.
    struct TripOptions: ParsableArguments {
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("Where to be picked up: a place's name, or LATITUDE,LONGITUDE.", valueName: "place"),
            transform: Spot.init(argument:))
        var from: Spot
        @Option(
            parsing: .unconditional, help: ArgumentHelp("Where to go.", valueName: "place"),
            transform: Spot.init(argument:))
        var to: Spot

        func waypoints(in shop: Shop) async throws -> RideWaypoints {
            RideWaypoints(
                pickupLocation: try await from.point(in: shop), dropoffLocation: try await to.point(in: shop))
        }
    }
#endif
