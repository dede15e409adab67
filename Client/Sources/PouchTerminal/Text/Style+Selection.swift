extension Style {
    /// The sequence that makes a terminal write in this style and no other: ANSI's "select graphic rendition".
    ///
    /// - Parameter hasColors: else the attributes alone count, as NO_COLOR asks for.
    func selection(hasColors: Bool) -> String {
        var parameters = "0"
        for (attribute, number) in Self.parameters where attributes.contains(attribute) { parameters += ";\(number)" }
        if hasColors {
            if let color = foreground { parameters += ";\(color.parameter + 30)" }
            if let color = background { parameters += ";\(color.parameter + 40)" }
        }
        return "\u{1B}[\(parameters)m"
    }

    private static let parameters: [(Style.Attributes, Int)] = [
        (.bold, 1), (.dim, 2), (.underlined, 4), (.reversed, 7), (.struckOut, 9),
    ]
}

extension Color {
    /// To be added to the base of the foreground or the background; the bright ones come 60 later.
    fileprivate var parameter: Int { Int(rawValue < 8 ? rawValue : rawValue - 8 + 60) }
}
