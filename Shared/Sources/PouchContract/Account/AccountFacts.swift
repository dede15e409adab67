import PouchEntities

extension SignUpRequest: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = [
        "name": .length(ModelLimits.textLength),
        "email": .length(ModelLimits.emailLength),
        "password": .length(ModelLimits.passwordLength),
    ]
}

extension PasswordChangeRequest: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = ["newPassword": .length(ModelLimits.passwordLength)]
}

extension ProfilePatch: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = ["name": .length(ModelLimits.textLength)]
}

extension AddressInput: FieldsDescribed {
    public static let fieldFacts = Address.boundsOfRequests
}

extension AddressPatch: FieldsDescribed {
    public static let fieldFacts = Address.boundsOfRequests
}

extension Address {
    fileprivate static let boundsOfRequests: [String: FieldFact] = [
        "name": .length(ModelLimits.textLength),
        "line1": .length(ModelLimits.textLength),
        "line2": .length(ModelLimits.textLength),
        "city": .length(ModelLimits.textLength),
        "region": .length(ModelLimits.textLength),
        "postalCode": .length(ModelLimits.textLength),
        "phone": .length(ModelLimits.textLength),
        "country": .pattern("^[A-Z]{2}$"),
    ]
}

extension GeoPoint: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = [
        "latitude": .range(-90.0...90.0),
        "longitude": .range(-180.0...180.0),
    ]
}
