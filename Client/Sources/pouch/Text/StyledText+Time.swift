#if TerminalPrograms
    import Foundation
    import PouchTerminal
    import PouchTerminalScreens

    extension StyledText {
        /// To the minute, in the user's own time zone.
        init(time: Date, _ style: Style = .plain) {
            self.init(TimeText.minutes(time, .current), style)
        }
    }
#endif
