import PouchEntities

extension SignUpRequest: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = [
        "name": .text,
        "email": .email,
        "mobileNumber": .telephone,
        "password": .length(ModelLimits.passwordLength),
    ]
}

extension PasswordChangeRequest: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = ["newPassword": .length(ModelLimits.passwordLength)]
}

extension ProfilePatch: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = ["name": .text, "mobileNumber": .telephone]
}

extension AddressInput: FieldsDescribed {
    public static let fieldFacts = Address.boundsOfRequests
}

extension AddressPatch: FieldsDescribed {
    public static let fieldFacts = Address.boundsOfRequests
}

extension Address {
    fileprivate static let boundsOfRequests: [String: FieldFact] = [
        "name": .text,
        "line1": .text,
        "line2": .text,
        "city": .text,
        "region": .text,
        "postalCode": .text,
        "phone": .text,
        "country": .pattern("^[A-Z]{2}$"),
    ]
}

extension GeoPoint: FieldsDescribed {
    public static let fieldFacts: [String: FieldFact] = [
        "latitude": .range(-90.0...90.0),
        "longitude": .range(-180.0...180.0),
    ]
}
