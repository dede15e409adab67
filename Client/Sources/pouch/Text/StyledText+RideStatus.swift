#if TerminalPrograms
    import PouchClient
    import PouchTerminal

    extension StyledText {
        init(_ status: RideStatus) {
            switch status {
            case .requested: self.init("looking for a kangaroo", .yellow)
            case .accepted: self.init("on its way", .green)
            case .arriving: self.init("arriving", .green)
            case .inProgress: self.init("riding", .green)
            case .completed: self.init("completed", .green)
            case .cancelledByRider: self.init("cancelled", .red)
            case .cancelledByDriver: self.init("cancelled by the kangaroo", .red)
            case .noDriversAvailable: self.init("no kangaroo came", .red)
            case .unrecognised: self.init("unknown")
            }
        }
    }
#endif
