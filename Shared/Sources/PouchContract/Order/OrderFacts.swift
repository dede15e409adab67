import PouchEntities

extension PreviewRequest: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = ["lines": .count(1...ModelLimits.lines)]
}

extension CheckoutRequest: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = ["email": .email]
}

extension BuyNowRequest: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = [
        "lines": .count(1...ModelLimits.lines), "email": .email,
    ]
}
