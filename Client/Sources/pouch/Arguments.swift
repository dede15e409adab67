#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchCommandLine
    import PouchJSON
    import PouchTerminal

    /// The page of a list.
    struct PageOptions: ParsableArguments {
        @Option(help: ArgumentHelp("At most this many, 1 to 200. (default: 50)", valueName: "number"))
        var limit: Int?
        @Option(help: ArgumentHelp("Continue a list with the cursor that its last page printed.", valueName: "text"))
        var cursor: String?

        func validate() throws {
            if let limit, !(1...200).contains(limit) { throw ValidationError("--limit takes a number from 1 to 200.") }
        }

        /// Prints a page, and how to get the next one.
        func show<Item: JSONCodable>(_ page: Page<Item>, in shop: Shop, as text: ([Item]) -> [Output]) throws {
            try shop.show(page) { text($0.items) }
            noteNext(page.nextCursor, in: shop)
        }

        func noteNext(_ cursor: String?, in shop: Shop) {
            guard let cursor, !shop.printsJSON else { return }
            shop.note(StyledText("There are more: add --cursor \(cursor)", .dim))
        }
    }

    /// A number of units that the server accepts.
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

    /// A time, either in the user's time zone, `2026-12-01` or `2026-12-01T09:30`, or with its own,
    /// `2026-12-01T09:30:00Z`.
    struct Moment: ExpressibleByArgument {
        static let form = "2026-12-01, 2026-12-01T09:30 (your time zone) or 2026-12-01T09:30:00Z"

        let date: Date

        init?(argument: String) {
            let local = Date.ISO8601FormatStyle(timeZone: .current).year().month().day()
            // A date has 10 characters, with the time 16 or, with seconds, 19.
            let found: Date? =
                switch argument.count {
                case 10: WireTime.date(argument, [local])
                case 16: WireTime.date(argument + ":00", [local.time(includingFractionalSeconds: false)])
                case 19: WireTime.date(argument, [local.time(includingFractionalSeconds: false)])
                default: WireTime.date(argument, [.iso8601])
                }
            guard let found else { return nil }
            date = found
        }
    }

    /// A place on earth: latitude and longitude in degrees, such as `-33.87,151.21`, or a name.
    enum Spot {
        case point(GeoPoint)
        case name(String)

        /// - Throws: a `ValidationError` for text without letters that is no point.
        init(argument: String) throws {
            self = argument.contains(where: \.isLetter) ? .name(argument) : .point(try GeoPoint(argument: argument))
        }

        /// Looks up the location. If the best match has another name, prints that name.
        ///
        /// - Throws: a `Refusal` for a name without a match.
        func point(in shop: Shop) async throws -> GeoPoint {
            switch self {
            case .point(let point): return point
            case .name(let name):
                guard let place = try await shop.client.locations.places(matching: name, near: nil).first else {
                    throw Refusal(
                        "No such place: \(name).", "Search for one with `pouch ride places --search TEXT`.", .notFound)
                }
                if place.name != name { shop.note(StyledText("Using \(place.name) for “\(name)”.", .dim)) }
                return place.location
            }
        }
    }
#endif
