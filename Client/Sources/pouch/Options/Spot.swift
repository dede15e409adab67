#if TerminalPrograms
    import PouchClient
    import PouchCommandLine
    import PouchTerminal

    /// A place on earth as it is typed: latitude and longitude in degrees, as in `-33.87,151.21`, or the name of a place.
    enum Spot {
        case point(GeoPoint)
        case name(String)

        /// - Throws: a `ValidationError` for what has no letter, as names have, and is no point either.
        init(argument: String) throws {
            self = argument.contains(where: \.isLetter) ? .name(argument) : .point(try GeoPoint(argument: argument))
        }

        /// Says which place was taken, where that is not the one that was named.
        ///
        /// - Throws: a `Refusal` for a name that no place has.
        func point(in shop: Shop) async throws -> GeoPoint {
            switch self {
            case .point(let point): return point
            case .name(let name):
                guard let place = try await shop.client.locations.places(matching: name, near: nil).first else {
                    throw Refusal(
                        "No place is known as \(name).", "`pouch ride places --search TEXT` looks for one.", .notFound)
                }
                if place.name != name { shop.note(StyledText("“\(name)” was taken for \(place.name).", .dim)) }
                return place.location
            }
        }
    }
#endif
