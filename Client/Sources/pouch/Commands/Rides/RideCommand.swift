#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    struct RideCommand: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ride",
            abstract: "Ride a kangaroo from one place to another.",
            discussion: "Places are for everybody; all else needs an account: `pouch sign-up` makes one.",
            subcommands: [
                Places.self, Quote.self, Request.self, List.self, Show.self, Watch.self, Cancel.self, Receipt.self,
            ]
        )

        static let adviceWhenNotFound = "`pouch ride list` lists yours, with their ids."

        @OptionGroup var global: GlobalOptions

        struct Places: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "List places by name, 50 at most.")

            @OptionGroup var global: GlobalOptions

            @Option(help: ArgumentHelp("A part of the name; small typos are allowed.", valueName: "text"))
            var search: String?
            @Option(
                parsing: .unconditional, help: ArgumentHelp("The nearest to this place first.", valueName: "place"),
                transform: Spot.init(argument:))
            var near: Spot?

            func run(in shop: Shop) async throws {
                let places = try await shop.client.locations.places(
                    matching: search ?? "", near: try await near?.point(in: shop))
                try shop.show(places, as: RideText.places(places))
            }
        }

        struct Quote: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Say what a trip costs, with each animal.")

            @OptionGroup var global: GlobalOptions
            @OptionGroup var trip: TripOptions

            func run(in shop: Shop) async throws {
                let quotes = try await shop.client.rides.quotes(for: try await trip.waypoints(in: shop))
                try shop.show(quotes, as: RideText.quotes(quotes))
            }
        }

        struct Request: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Ask for a ride.",
                discussion: "The fare is the one that `pouch ride quote` shows at that moment.")

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
                        "No such animal makes this trip.", "`pouch ride quote` lists those that do.", .notFound)
                }
                let ride = try await self.ride(waypoints, quote, in: shop)
                try shop.show(ride, as: RideText.blocks(ride))
            }

            /// - Throws: a `Refusal` where it is not known whether the ride was asked for: the key of the request is lost
            ///   with the process, so that the same command would ask for another one.
            private func ride(_ waypoints: RideWaypoints, _ quote: FareQuote, in shop: Shop) async throws -> Ride {
                do throws(DataError) {
                    return try await shop.client.rides.request(waypoints, option: quote.rideOptionID, quote: quote)
                } catch {
                    guard error.leavesOutcomeOpen, let text = error.errorDescription else { throw error }
                    throw Refusal(
                        text + " The ride may have been asked for.",
                        "See with `pouch ride list` whether it was before you ask again.", ExitStatus(error.reason))
                }
            }
        }

        struct List: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "List your rides, the latest first.")

            @OptionGroup var global: GlobalOptions
            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                let found = try await shop.client.rides.rides(limit: page.limit, cursor: page.cursor)
                try shop.show(found, as: RideText.list(found.items))
                page.noteNext(found.nextCursor, in: shop)
            }
        }

        struct Show: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Show a ride.")
            static let adviceWhenNotFound = RideCommand.adviceWhenNotFound

            @OptionGroup var global: GlobalOptions
            @OptionGroup var ride: RideArgument

            func run(in shop: Shop) async throws {
                let ride = try await shop.client.rides.ride(id: ride.id)
                try shop.show(ride, as: RideText.blocks(ride))
            }
        }

        struct Watch: ShopCommand {
            static let configuration = CommandConfiguration(
                abstract: "Follow a ride until it ends.",
                discussion: "With --json, each line is the ride as it is then.")
            static let adviceWhenNotFound = RideCommand.adviceWhenNotFound

            @OptionGroup var global: GlobalOptions
            @OptionGroup var ride: RideArgument

            func run(in shop: Shop) async throws {
                var status: RideStatus?
                for try await ride in shop.client.rides.follow(ride.id) {
                    try shop.show(ride, as: [.line(RideText.line(ride))])
                    status = ride.status
                }
                // Before the ride, only the session can end.
                guard status?.isFinal == true else { throw DataError(.sessionEnded) }
            }
        }

        struct Cancel: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Cancel a ride before the pick-up.")
            static let adviceWhenNotFound = RideCommand.adviceWhenNotFound

            @OptionGroup var global: GlobalOptions
            @OptionGroup var ride: RideArgument

            func run(in shop: Shop) async throws {
                let ride = try await shop.client.rides.cancel(ride.id)
                try shop.show(ride, as: RideText.blocks(ride))
            }
        }

        struct Receipt: ShopCommand {
            static let configuration = CommandConfiguration(abstract: "Show what a completed ride came to.")
            static let adviceWhenNotFound = RideCommand.adviceWhenNotFound

            @OptionGroup var global: GlobalOptions
            @OptionGroup var ride: RideArgument

            func run(in shop: Shop) async throws {
                let receipt = try await shop.client.rides.receipt(of: ride.id)
                try shop.show(receipt, as: RideText.blocks(receipt))
            }
        }
    }
#endif
