#if TerminalPrograms
    import ArgumentParser
    import Foundation

    /// A moment as people type it: `2026-12-01`, `2026-12-01T09:30`, both in their own time zone, or with one, as in
    /// `2026-12-01T09:30:00Z`.
    struct Moment: ExpressibleByArgument {
        let date: Date

        init?(argument: String) {
            let local = Date.ISO8601FormatStyle(timeZone: .current).year().month().day()
            // A year, a month and a day take 10 characters, hours and minutes 6 more.
            let found: Date? =
                switch argument.count {
                case 10: try? Date(argument, strategy: local)
                case 16: try? Date(argument + ":00", strategy: local.time(includingFractionalSeconds: false))
                case 19: try? Date(argument, strategy: local.time(includingFractionalSeconds: false))
                default: try? Date(argument, strategy: .iso8601)
                }
            guard let found else { return nil }
            date = found
        }

        static let form = "2026-12-01, 2026-12-01T09:30 (your time zone) or 2026-12-01T09:30:00Z"
    }
#endif
