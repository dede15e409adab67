#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    struct RideCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ride",
            abstract: "Ride a kangaroo from one place to another.",
            discussion: "Listing places needs no account. Everything else requires one: `pouch sign-up` creates it.",
            subcommands: [
                Places.self, Quote.self, Request.self, List.self, Show.self, Watch.self, Cancel.self, Receipt.self,
            ]
        )

        @OptionGroup var global: GlobalOptions

        // MARK: - Before a ride

        struct Places: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "List all places by name.",
                discussion: "A search lists the best match first, and --near the nearest place, with its distance.")

            @OptionGroup var global: GlobalOptions

            @Option(help: ArgumentHelp("Part of the name; small typos are allowed.", valueName: "text"))
            var search: String?
            @Option(
                parsing: .unconditional,
                help: ArgumentHelp("Add the distances from this place, and sort by them.", valueName: "place"),
                transform: Spot.init(argument:))
            var near: Spot?

            func run(in shop: Shop) async throws {
                let start = try await near?.point(in: shop)
                var places: [NamedLocation] = []
                for try await place in shop.client.locations.all(matching: search ?? "", near: start) {
                    places.append(place)
                }
                try shop.show(places) { RideText.places($0, from: start) }
            }
        }

        struct Quote: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Show the fare of a trip for each animal.")

            @OptionGroup var global: GlobalOptions
            @OptionGroup var trip: TripOptions

            func run(in shop: Shop) async throws {
                let quotes = try await shop.client.rides.quotes(for: try await trip.waypoints(in: shop))
                try shop.show(quotes, as: RideText.quotes)
            }
        }

        struct Request: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Request a ride.",
                discussion: "The fare is the one that `pouch ride quote` shows at the same time.")

            @OptionGroup var global: GlobalOptions
            @OptionGroup var trip: TripOptions

            @Option(
                help: ArgumentHelp(
                    "The animal, as `pouch ride quote` lists it. (default: the cheapest)", valueName: "id"))
            var option: String?

            func run(in shop: Shop) async throws {
                let waypoints = try await trip.waypoints(in: shop)
                let quotes = try await shop.client.rides.quotes(for: waypoints)
                let quote =
                    option.map { option in quotes.first { $0.rideOptionID == option } }
                    ?? quotes.min { $0.fare.amount < $1.fare.amount }
                guard let quote else {
                    throw Refusal(
                        "No such animal is available for this trip.", "`pouch ride quote` lists the others.", .notFound)
                }
                try shop.show(try await request(waypoints, quote, in: shop), as: RideText.details)
            }

            /// Requests the ride.
            ///
            /// - Throws: a `Refusal` if the outcome is unknown. The idempotency key is lost with the process, so
            ///   running the command again would request a second ride.
            private func request(_ waypoints: RideWaypoints, _ quote: FareQuote, in shop: Shop) async throws -> Ride {
                do throws(DataError) {
                    return try await shop.client.rides.request(waypoints, option: quote.rideOptionID, quote: quote)
                } catch {
                    guard error.leavesOutcomeOpen, let text = error.errorDescription else { throw error }
                    throw Refusal(
                        text + " The ride may have been requested.",
                        "Check with `pouch ride list` before you request it again.", ExitStatus(error.reason))
                }
            }
        }

        // MARK: - Your rides

        struct List: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "List your rides, newest first.")

            @OptionGroup var global: GlobalOptions
            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: RideText.list) { limit, cursor in
                    try await shop.client.rides.rides(limit: limit, cursor: cursor)
                }
            }
        }

        struct Show: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Show a ride.")

            @OptionGroup var global: GlobalOptions
            @OptionGroup var ride: RideArgument

            var notFound: NotFound { .ride(ride.id) }

            func run(in shop: Shop) async throws {
                try shop.show(try await shop.client.rides.ride(id: ride.id), as: RideText.details)
            }
        }

        struct Watch: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Follow a ride until it ends.",
                discussion: "With --json, prints the ride on one line for each change.")

            @OptionGroup var global: GlobalOptions
            @OptionGroup var ride: RideArgument

            var notFound: NotFound { .ride(ride.id) }

            func run(in shop: Shop) async throws {
                var status: RideStatus?
                for try await ride in shop.client.rides.follow(ride.id) {
                    try shop.show(ride) { [.line(RideText.status($0))] }
                    status = ride.status
                }
                // If the stream ends before the ride does, the session has ended.
                guard status?.isFinal == true else { throw DataError(.sessionEnded) }
            }
        }

        struct Cancel: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Cancel a ride before the pick-up.")

            @OptionGroup var global: GlobalOptions
            @OptionGroup var ride: RideArgument

            var notFound: NotFound { .ride(ride.id) }

            func run(in shop: Shop) async throws {
                try shop.show(try await shop.client.rides.cancel(ride.id), as: RideText.details)
            }
        }

        struct Receipt: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Show the receipt of a completed ride.")

            @OptionGroup var global: GlobalOptions
            @OptionGroup var ride: RideArgument

            var notFound: NotFound { .ride(ride.id) }

            func run(in shop: Shop) async throws {
                try shop.show(try await shop.client.rides.receipt(of: ride.id), as: RideText.receipt)
            }
        }
    }

    // MARK: - Options

    struct RideArgument: ParsableArguments {
        @Argument(help: "The ride's ID, as `pouch ride list` lists it.")
        var id: String
    }

    struct TripOptions: ParsableArguments {
        @Option(
            parsing: .unconditional,
            help: ArgumentHelp("The pick-up: a place's name, or LATITUDE,LONGITUDE.", valueName: "place"),
            transform: Spot.init(argument:))
        var from: Spot
        @Option(
            parsing: .unconditional, help: ArgumentHelp("The destination.", valueName: "place"),
            transform: Spot.init(argument:))
        var to: Spot

        func waypoints(in shop: Shop) async throws -> RideWaypoints {
            RideWaypoints(
                pickupLocation: try await from.point(in: shop), dropoffLocation: try await to.point(in: shop))
        }
    }
#endif
