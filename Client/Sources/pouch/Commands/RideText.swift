#if TerminalPrograms
    import Foundation
    import PouchClient
    import PouchTerminal
    import PouchTerminalScreens

    enum RideText {
        /// - Parameter start: the place from which distances are given, over the globe; nil for none.
        static func places(_ places: [NamedLocation], from start: GeoPoint?) -> [Output] {
            let distance: [Output.Column] = start == nil ? [] : [.number("DISTANCE")]
            return .list(places, orElse: "No matching places.", ["NAME", "LATITUDE,LONGITUDE"] + distance) { place in
                let distance = start.map { StyledText(DistanceText.text($0.distance(to: place.location))) }
                return [StyledText(place.name, .bold), StyledText(point(place.location))] + [distance].compactMap { $0 }
            }
        }

        static func quotes(_ quotes: [FareQuote]) -> [Output] {
            .list(
                quotes, orElse: "There are no kangaroos for this trip.",
                ["OPTION", .number("FARE"), .number("DISTANCE"), .number("TIME"), "UNTIL"]
            ) { quote in
                [
                    StyledText(quote.rideOptionID, .bold), StyledText(quote.fare),
                    StyledText(DistanceText.text(Double(quote.distanceMetres))),
                    StyledText("\(quote.etaMinutes) min"), StyledText(time: quote.expiresAt),
                ]
            }
        }

        static func list(_ rides: [Ride]) -> [Output] {
            .list(
                rides, orElse: "There are no rides yet.", ["ID", "REQUESTED", "STATUS", "OPTION", .number("FARE")]
            ) { ride in
                [
                    StyledText(ride.id, .bold), StyledText(time: ride.createdAt), name(ride.status),
                    StyledText(ride.rideOptionID), StyledText(ride.fare),
                ]
            }
        }

        static func details(_ ride: Ride) -> [Output] {
            var output: [Output] = [
                .line(status(ride)), .line(StyledText("ID: ", .dim) + StyledText(ride.id)),
                .line(StyledText("From: ", .dim) + StyledText(point(ride.waypoints.pickupLocation))),
                .line(StyledText("To: ", .dim) + StyledText(point(ride.waypoints.dropoffLocation))),
                .line(StyledText("Fare: ", .dim) + StyledText(ride.fare) + StyledText(" (\(ride.rideOptionID))", .dim)),
                .blank,
            ]
            output += ride.history.map { .line(StyledText(time: $0.at, .dim) + "  " + name($0.status)) }
            if !ride.status.isFinal { output += [.blank, watch(ride.id)] }
            return output
        }

        static func receipt(_ receipt: RideReceipt) -> [Output] {
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
