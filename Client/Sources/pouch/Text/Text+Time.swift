#if TerminalPrograms
    import Foundation

    extension Text {
        /// To the minute, in the user's own time zone.
        init(time: Date, _ style: Style? = nil) {
            let format = Date.ISO8601FormatStyle(timeZone: .current).year().month().day()
                .dateTimeSeparator(.space).time(includingFractionalSeconds: false)
            self.init(String(time.formatted(format).prefix(16)), style)
        }
    }
#endif
