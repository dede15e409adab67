#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    extension OrderStatus: @retroactive ExpressibleByArgument {
        public init?(argument: String) {
            self.init(rawValue: argument)
            guard self != .unrecognised else { return nil }
        }

        public static var allValueStrings: [String] {
            allCases.filter { $0 != .unrecognised }.map(\.rawValue)
        }
    }
#endif
