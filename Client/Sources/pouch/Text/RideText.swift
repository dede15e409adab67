#if TerminalPrograms
    import Foundation
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    /// How rides are shown, with what comes before and after.
    enum RideText {
        static func places(_ places: [NamedLocation]) -> [Block] {
            guard !places.isEmpty else { return [.line("No place was found.")] }
            return [
                .table(
                    Table(
                        columns: [.init(title: "NAME"), .init(title: "LATITUDE,LONGITUDE")],
                        rows: places.map { [StyledText($0.name, .bold), StyledText(point($0.location))] }
                    ))
            ]
        }

        static func quotes(_ quotes: [FareQuote]) -> [Block] {
            guard !quotes.isEmpty else { return [.line("There are no kangaroos for this trip.")] }
            return [
                .table(
                    Table(
                        columns: [
                            .init(title: "OPTION"), .init(title: "FARE", isNumber: true),
                            .init(title: "DISTANCE", isNumber: true), .init(title: "TIME", isNumber: true),
                            .init(title: "UNTIL"),
                        ],
                        rows: quotes.map { quote in
                            [
                                StyledText(quote.rideOptionID, .bold), StyledText(quote.fare),
                                StyledText(DistanceText.text(Double(quote.distanceMetres))),
                                StyledText("\(quote.etaMinutes) min"),
                                StyledText(time: quote.expiresAt),
                            ]
                        }
                    ))
            ]
        }

        static func list(_ rides: [Ride]) -> [Block] {
            guard !rides.isEmpty else { return [.line("There are no rides yet.")] }
            return [
                .table(
                    Table(
                        columns: [
                            .init(title: "ID"), .init(title: "ASKED FOR"), .init(title: "STATUS"),
                            .init(title: "OPTION"),
                            .init(title: "FARE", isNumber: true),
                        ],
                        rows: rides.map { ride in
                            [
                                StyledText(ride.id, .bold), StyledText(time: ride.createdAt), StyledText(ride.status),
                                StyledText(ride.rideOptionID), StyledText(ride.fare),
                            ]
                        }
                    ))
            ]
        }

        static func blocks(_ ride: Ride) -> [Block] {
            var blocks: [Block] = [
                .line(line(ride)), .line(StyledText("ID: ", .dim) + StyledText(ride.id)),
                .line(StyledText("From: ", .dim) + StyledText(point(ride.waypoints.pickupLocation))),
                .line(StyledText("To: ", .dim) + StyledText(point(ride.waypoints.dropoffLocation))),
                .line(StyledText("Fare: ", .dim) + StyledText(ride.fare) + StyledText(" (\(ride.rideOptionID))", .dim)),
                .blank,
            ]
            blocks += ride.history.map { .line(StyledText(time: $0.at, .dim) + "  " + StyledText($0.status)) }
            if !ride.status.isFinal { blocks += [.blank, watch(ride.id)] }
            return blocks
        }

        /// How to see what becomes of a ride.
        static func watch(_ id: Ride.ID) -> Block {
            .line(StyledText("Follow it: ", .dim) + StyledText("pouch ride watch \(id)"))
        }

        /// How the ride stands, in one line.
        static func line(_ ride: Ride) -> StyledText {
            var line = StyledText(ride.status)
            if let driver = ride.driver {
                let rating = driver.rating.formatted(
                    .number.precision(.fractionLength(1)).locale(Locale(identifier: "en")))
                line =
                    line + StyledText("  \(driver.name) (\(rating))")
                    + StyledText("  at \(point(driver.location))", .dim)
            }
            if let minutes = ride.etaMinutes { line = line + StyledText("  \(minutes) min") }
            return line
        }

        static func blocks(_ receipt: RideReceipt) -> [Block] {
            [
                .line(
                    StyledText(receipt.fare, .bold)
                        + StyledText("  \(DistanceText.text(Double(receipt.distanceMetres)))")),
                .line(StyledText("Ride: ", .dim) + StyledText(receipt.rideID)),
                .line(StyledText("Driver: ", .dim) + StyledText(receipt.driverName)),
                .line(StyledText("Picked up: ", .dim) + StyledText(time: receipt.pickedUpAt)),
                .line(StyledText("Completed: ", .dim) + StyledText(time: receipt.completedAt)),
            ]
        }

        private static func point(_ point: GeoPoint) -> String {
            [point.latitude, point.longitude]
                .map {
                    $0.formatted(
                        .number.precision(.fractionLength(4)).grouping(.never).locale(Locale(identifier: "en")))
                }
                .joined(separator: ",")
        }
    }
#endif
