/// The colours of a LAYERS feed, by their codes.
enum LayersColour {
    static let names: [Int: String] = [
        11: "Off-White", 18: "Anthracite", 19: "Black", 25: "Beige", 29: "Brown",
        35: "Blue", 39: "Navy", 40: "Powder", 69: "Forest", 72: "Pink",
    ]
}
