#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    enum RideCommand: CommandFamily {
        static let commandName = "ride"
        static let abstract = "Ride a kangaroo from one place to another."
        static let discussion =
            "Listing places needs no account. Everything else requires one: `pouch sign-up` creates it."
        static let subcommands: [any NamedCommand.Type] = [
            Places.self, Quote.self, Request.self, List.self, Show.self, Watch.self, Cancel.self, Receipt.self,
        ]
        static let hasDefault = false

        // MARK: - Before a ride

        struct Places: ShopCommand {
            static let abstract = "List all places by name."
            static let discussion =
                "A search lists the best match first, and --near the nearest place, with its distance."

            @Option(help: .value("text", "Part of the name; small typos are allowed."))
            var search: String?
            @Option(
                parsing: .unconditional,
                help: .value("place", "Add the distances from this place, and sort by them."),
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
            static let abstract = "Show the fare of a trip for each animal."

            @OptionGroup var trip: TripOptions

            func run(in shop: Shop) async throws {
                let quotes = try await shop.client.rides.quotes(for: try await trip.waypoints(in: shop))
                try shop.show(quotes, as: RideText.quotes)
            }
        }

        struct Request: ShopCommand {
            static let abstract = "Request a ride."
            static let discussion = "The fare is the one that `pouch ride quote` shows at that moment."

            @OptionGroup var trip: TripOptions

            @Option(help: .value("id", "The animal, as `pouch ride quote` lists it. (default: the cheapest)"))
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
                    guard error.mayHaveTakenEffect, let text = error.errorDescription else { throw error }
                    throw Refusal(
                        text + " The ride may have been requested.",
                        "Check with `pouch ride list` before you request it again.", ExitStatus(error.reason))
                }
            }
        }

        // MARK: - Your rides

        struct List: ShopCommand {
            static let abstract = "List your rides, newest first."

            @OptionGroup var page: PageOptions

            func run(in shop: Shop) async throws {
                try await page.show(in: shop, as: RideText.list) { limit, cursor in
                    try await shop.client.rides.rides(limit: limit, cursor: cursor)
                }
            }
        }

        struct Show: ShopCommand {
            static let abstract = "Show a ride."

            @OptionGroup var ride: RideArgument

            var notFound: NotFound { ride.notFound }

            func run(in shop: Shop) async throws {
                try shop.show(try await shop.client.rides.ride(id: ride.id), as: RideText.details)
            }
        }

        struct Watch: ShopCommand {
            static let abstract = "Follow a ride until it ends."
            static let discussion = "With --json, prints the ride on one line for each change."

            @OptionGroup var ride: RideArgument

            var notFound: NotFound { ride.notFound }

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
            static let abstract = "Cancel a ride before the pick-up."

            @OptionGroup var ride: RideArgument

            var notFound: NotFound { ride.notFound }

            func run(in shop: Shop) async throws {
                try shop.show(try await shop.client.rides.cancel(ride.id), as: RideText.details)
            }
        }

        struct Receipt: ShopCommand {
            static let abstract = "Show the receipt of a completed ride."

            @OptionGroup var ride: RideArgument

            var notFound: NotFound { ride.notFound }

            func run(in shop: Shop) async throws {
                try shop.show(try await shop.client.rides.receipt(of: ride.id), as: RideText.receipt)
            }
        }
    }

    // MARK: - Options

    struct RideArgument: ParsableArguments {
        @Argument(help: "The ride's ID, as `pouch ride list` lists it.")
        var id: String

        var notFound: NotFound { NotFound("ride", id, "`pouch ride list` lists your rides, with their IDs.") }
    }

    struct TripOptions: ParsableArguments {
        @Option(
            parsing: .unconditional,
            help: .value("place", "The pick-up: a place's name, or LATITUDE,LONGITUDE."),
            transform: Spot.init(argument:))
        var from: Spot
        @Option(parsing: .unconditional, help: .value("place", "The destination."), transform: Spot.init(argument:))
        var to: Spot

        func waypoints(in shop: Shop) async throws -> RideWaypoints {
            RideWaypoints(
                pickupLocation: try await from.point(in: shop), dropoffLocation: try await to.point(in: shop))
        }
    }

    enum RideText {
        /// - Parameter start: the place from which distances are given, over the globe; nil for none.
        static func places(_ places: [NamedLocation], from start: GeoPoint?) -> [Output] {
            var fields: [Field<NamedLocation>] = [
                Field("NAME", .bold, \.name), Field("LATITUDE,LONGITUDE") { point($0.location) },
            ]
            if let start {
                fields.append(Field(.number("DISTANCE")) { DistanceText.text(start.distance(to: $0.location)) })
            }
            return .list(places, orElse: "No matching places.", fields)
        }

        static func quotes(_ quotes: [FareQuote]) -> [Output] {
            .list(
                quotes, orElse: "There are no kangaroos for this trip.",
                [
                    Field("OPTION", .bold, \.rideOptionID), Field(.number("FARE"), \.fare),
                    Field(.number("DISTANCE")) { DistanceText.text(Double($0.distanceMetres)) },
                    Field(.number("TIME")) { "\($0.etaMinutes) min" }, Field("UNTIL", \.expiresAt),
                ])
        }

        static func list(_ rides: [Ride]) -> [Output] {
            .list(
                rides, orElse: "There are no rides yet.",
                [
                    Field("ID", .bold, \.id), Field("REQUESTED", \.createdAt), Field("STATUS") { name($0.status) },
                    Field("OPTION", \.rideOptionID), Field(.number("FARE"), \.fare),
                ])
        }

        static func details(_ ride: Ride) -> [Output] {
            var output = [Output.line(status(ride))]
            output += .facts([
                ("ID", ride.id), ("From", point(ride.waypoints.pickupLocation)),
                ("To", point(ride.waypoints.dropoffLocation)),
                ("Fare", StyledText(ride.fare) + StyledText(" (\(ride.rideOptionID))", .dim)),
            ])
            output += [.blank]
            output += ride.history.map { .line(StyledText(time: $0.at, .dim) + "  " + name($0.status)) }
            if !ride.status.isFinal { output += [.blank, watch(ride.id)] }
            return output
        }

        static func receipt(_ receipt: RideReceipt) -> [Output] {
            let distance = StyledText("  \(DistanceText.text(Double(receipt.distanceMetres)))")
            var output = [Output.line(StyledText(receipt.fare, .bold) + distance)]
            output += .facts([
                ("Ride", receipt.rideID), ("Driver", receipt.driverName), ("Picked up", receipt.pickedUpAt),
                ("Completed", receipt.completedAt),
            ])
            return output
        }

        /// The status of a ride in one line, with its driver and the minutes left.
        static func status(_ ride: Ride) -> StyledText {
            var line = name(ride.status)
            if let driver = ride.driver {
                let rating = number(driver.rating, places: 1)
                line =
                    line + StyledText("  \(driver.name) (\(rating))")
                    + StyledText("  at \(point(driver.location))", .dim)
            }
            if let minutes = ride.etaMinutes { line = line + StyledText("  \(minutes) min") }
            return line
        }

        /// The command that follows a ride.
        static func watch(_ id: Ride.ID) -> Output {
            .line(StyledText("Follow it: ", .dim) + StyledText("pouch ride watch \(id)"))
        }

        private static func name(_ status: RideStatus) -> StyledText {
            switch status {
            case .requested: StyledText("looking for a kangaroo", .yellow)
            case .accepted: StyledText("on its way", .green)
            case .arriving: StyledText("arriving", .green)
            case .inProgress: StyledText("riding", .green)
            case .completed: StyledText("completed", .green)
            case .cancelledByRider: StyledText("cancelled", .red)
            case .cancelledByDriver: StyledText("cancelled by the kangaroo", .red)
            case .noDriversAvailable: StyledText("no kangaroo was available", .red)
            case .unrecognised: "unknown"
            }
        }

        private static func point(_ point: GeoPoint) -> String {
            "\(number(point.latitude, places: 4)),\(number(point.longitude, places: 4))"
        }

        /// A number in the same form in every locale, for scripts.
        private static func number(_ number: Double, places: Int) -> String {
            number.formatted(
                .number.precision(.fractionLength(places)).grouping(.never).locale(Locale(identifier: "en")))
        }
    }
#endif
