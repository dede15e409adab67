import PouchEntities

extension LineRequest: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = ["quantity": .range(ModelLimits.quantity)]
}

extension QuantityRequest: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = ["quantity": .range(0...ModelLimits.quantity.upperBound)]
}

extension CartLine: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = ["quantity": .range(ModelLimits.quantity)]
}

extension Cart: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = ["version": .atLeast(0)]
}

extension CartSummary: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = ["version": .atLeast(0)]
}

extension Money: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = ["currency": .pattern("^[A-Z]{3}$")]
}
