extension String {
    /// The text in one line and without what would steer a terminal: a line break or a tab becomes a space, other control
    /// characters and those that turn the writing direction go. What a server or a user sends is shown through this.
    public var harmless: String {
        guard !utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return self }
        return String(String.UnicodeScalarView(unicodeScalars.compactMap(\.harmless)))
    }
}

extension Unicode.Scalar {
    private static let directions: [ClosedRange<UInt32>] = [0x202A...0x202E, 0x2066...0x2069]

    fileprivate var harmless: Unicode.Scalar? {
        switch properties.generalCategory {
        case .control: self == "\n" || self == "\t" ? " " : nil
        case .lineSeparator, .paragraphSeparator: " "
        default: Self.directions.contains { $0.contains(value) } ? nil : self
        }
    }
}
