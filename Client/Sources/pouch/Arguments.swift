#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchCommandLine
    import PouchJSON
    import PouchTerminal
    import PouchWire

    extension ArgumentHelp {
        /// The help of an option, with the name of its value.
        static func value(_ name: String, _ text: String) -> ArgumentHelp { ArgumentHelp(text, valueName: name) }
    }

    struct PageSize: ParsableArguments {
        private static let bounds = "\(Limits.pageSize.lowerBound) to \(Limits.pageSize.upperBound)"

        @Option(
            parsing: .unconditional,
            help: .value(
                "number",
                "The maximum number of items per page, \(PageSize.bounds). (default: \(Limits.defaultPageSize))"))
        var limit: Int?

        func validate() throws {
            if let limit, !Limits.pageSize.contains(limit) {
                throw ValidationError("--limit must be from \(Self.bounds).")
            }
        }
    }

    /// The part of a list: one page, or all of it.
    struct PageOptions: ParsableArguments {
        @OptionGroup var size: PageSize
        @Option(parsing: .unconditional, help: .value("number", "The page to show, from 1."))
        var page: Int?
        @Flag(help: "Show the whole list.")
        var all = false
        @Option(help: .value("text", "Continue after a page, with its nextCursor from --json."))
        var cursor: String?

        func validate() throws {
            if let page, page < 1 { throw ValidationError("--page must be 1 or more.") }
            guard [all, page != nil, cursor != nil].count(where: { $0 }) <= 1 else {
                throw ValidationError("Use only one of --all, --page and --cursor.")
            }
        }

        /// Prints the wanted part of a list, and how to see more.
        ///
        /// - Parameter read: reads one page; nil stands for the first.
        func show<Item: JSONCodable>(
            in shop: Shop, as text: ([Item]) -> [Output],
            _ read: (_ limit: Int?, _ cursor: String?) async throws -> Page<Item>
        ) async throws {
            let page = try await wanted(read)
            try shop.show(page) { text($0.items) }
            guard page.nextCursor != nil, !shop.printsJSON else { return }
            let next = cursor == nil ? "--page \((self.page ?? 1) + 1)" : "--json, which shows the next cursor"
            shop.note(StyledText("There are more: add \(next), or --all.", .dim))
        }

        private func wanted<Item: JSONCodable>(
            _ read: (_ limit: Int?, _ cursor: String?) async throws -> Page<Item>
        ) async throws -> Page<Item> {
            guard all else {
                var found = try await read(size.limit, cursor)
                for _ in 1..<(page ?? 1) {
                    guard let next = found.nextCursor else { return Page(items: []) }
                    found = try await read(size.limit, next)
                }
                return found
            }
            var items: [Item] = []
            var cursors = CursorLoopGuard()
            var next: String?
            repeat {
                let found = try await read(size.limit ?? Limits.pageSize.upperBound, next)
                items += found.items
                next = try cursors.follow(found.nextCursor)
            } while next != nil
            return Page(items: items)
        }
    }

    /// A word of the contract that lists print and options accept.
    ///
    /// An option accepts it in both forms that the program prints, so that each can be copied: the one in a list, and
    /// the one in JSON.
    protocol PrintedWord: ExpressibleByArgument, RawRepresentable, CaseIterable where RawValue == String {
        /// The word of a later version, which no option accepts.
        static var unrecognised: Self { get }
        /// The word in a list.
        var title: String { get }
    }

    extension PrintedWord {
        var title: String { rawValue }

        public init?(argument: String) {
            guard let word = Self.words.first(where: { [$0.title, $0.rawValue].contains(argument) }) else { return nil }
            self = word
        }

        public static var allValueStrings: [String] { words.map(\.title) }

        private static var words: [Self] { allCases.filter { $0.rawValue != unrecognised.rawValue } }
    }

    /// The period of a list or a report, open at either end.
    struct PeriodOptions: ParsableArguments {
        @Option(help: .value("time", "The start: \(Moment.form)."))
        var from: Moment?
        @Option(help: .value("time", "The end; a date includes the whole day."))
        var until: Moment?

        func validate() throws {
            try Moment.check(from, "--from", until, "--until")
        }
    }

    /// A number of units that the server accepts.
    struct Quantity: ExpressibleByArgument {
        /// The lowest and the highest quantity, for the help.
        static let bounds = "\(ModelLimits.quantity.lowerBound) to \(ModelLimits.quantity.upperBound)"

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

    /// Units of a variant that the server can have in stock, from 0.
    struct StockUnits: ExpressibleByArgument {
        let units: Int

        init?(argument: String) {
            guard let units = Int(argument), ModelLimits.stock.contains(units) else { return nil }
            self.units = units
        }
    }

    /// A day `2026-12-01` or a time `2026-12-01T09:30` of the shop's time zone, or a time with its own,
    /// `2026-12-01T09:30:00Z`.
    struct Moment: ExpressibleByArgument {
        static let form = "2026-12-01, 2026-12-01T09:30 (the shop's time zone) or 2026-12-01T09:30:00Z"

        private let text: String

        init?(argument: String) {
            text = argument
            guard date(in: .gmt) != nil else { return nil }
        }

        /// The time, or the start of the day.
        func start(in zone: TimeZone) -> Date? { date(in: zone) }

        /// The time, or the end of the day.
        func end(in zone: TimeZone) -> Date? {
            guard isDay else { return date(in: zone) }
            var calendar = Calendar(identifier: .gregorian)
            calendar.timeZone = zone
            return date(in: zone).flatMap { calendar.dateInterval(of: .day, for: $0)?.end }
        }

        private var isDay: Bool { text.count == 10 }

        /// Whether the time depends on the shop's time zone.
        var isLocal: Bool { [10, 16, 19].contains(text.count) }

        private func date(in zone: TimeZone) -> Date? {
            let day = Date.ISO8601FormatStyle(timeZone: zone).year().month().day()
            let time = day.time(includingFractionalSeconds: false)
            // A date has 10 characters, with the time 16 or, with seconds, 19. A day begins after midnight where the
            // clocks go forward then.
            switch text.count {
            case 10:
                guard WireTime.date(text, [.iso8601.year().month().day()]) != nil,
                    let noon = WireTime.date(text + "T12:00:00", [time])
                else { return nil }
                var calendar = Calendar(identifier: .gregorian)
                calendar.timeZone = zone
                return calendar.startOfDay(for: noon)
            case 16: return WireTime.date(text + ":00", [time])
            case 19: return WireTime.date(text, [time])
            default: return WireTime.date(text, [.iso8601])
            }
        }

        /// Checks that the time of an option is in the future. A time that is past only in some time zones is left to
        /// the server.
        func checkFuture(_ option: String) throws {
            let last = isLocal ? TimeZone(secondsFromGMT: -12 * 3600) ?? .gmt : .gmt
            guard let end = end(in: last), end > Date() else {
                throw ValidationError("The time of \(option) is in the past. Check the year, or omit the option.")
            }
        }

        /// Checks that a period does not end before it starts, if its ends can be compared without the shop.
        static func check(_ start: Moment?, _ startOption: String, _ end: Moment?, _ endOption: String) throws {
            guard let start, let end, start.isLocal == end.isLocal, let from = start.start(in: .gmt),
                let until = end.end(in: .gmt), until <= from
            else { return }
            throw ValidationError("Invalid \(endOption): it must be after \(startOption).")
        }
    }

    extension Shop {
        /// The start of a period.
        func start(_ moment: Moment?) async throws -> Date? {
            guard let moment else { return nil }
            return moment.start(in: try await zone(of: moment))
        }

        /// The end of a period, which includes the whole last day.
        func end(_ moment: Moment?) async throws -> Date? {
            guard let moment else { return nil }
            return moment.end(in: try await zone(of: moment))
        }

        private func zone(of moment: Moment) async throws -> TimeZone {
            guard moment.isLocal else { return .gmt }
            let name = try await client.catalog.shop().timeZone
            guard let zone = TimeZone(identifier: name) else {
                throw Refusal(
                    "The shop's time zone, \(name), is unknown here.", "Use times such as 2026-12-01T09:30:00Z.",
                    .refused)
            }
            return zone
        }
    }

    /// A location on earth: latitude and longitude in degrees, such as `-33.87,151.21`, or a name.
    enum Spot {
        case point(GeoPoint)
        case name(String)

        /// - Throws: a `ValidationError` for text without letters that is not a point.
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
