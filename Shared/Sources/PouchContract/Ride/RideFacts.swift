import PouchEntities

extension Ride.Driver: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = ["rating": .range(1.0...5.0, example: 4.9)]
}

extension RideOption: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = [
        "capacity": .atLeast(1, example: 1), "maxWeightGrams": .atLeast(1, example: 25_000),
    ]
}

extension FareQuote: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = [
        "distanceMetres": .atLeast(0, example: 5_400), "etaSeconds": .atLeast(0, example: 486),
    ]
}

extension Ride: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = ["etaSeconds": .atLeast(0, example: 240)]
}
