import PouchEntities
import PouchJSON

/// A type that describes its fields beyond their shape: bounds, patterns, examples.
///
/// The keys are those of the type's JSON. `/openapi.json` publishes these facts; the rules of the shop enforce them.
public protocol FieldsDescribed {
    static var fieldFacts: [String: FieldFact] { get }
}

/// Keywords of JSON Schema and an example value for a field.
public struct FieldFact: Sendable {
    var keywords: [String: JSON] = [:]
    /// For a list or a dictionary, the example of an element.
    var example: JSON?

    static func example(_ example: JSON) -> FieldFact { FieldFact(example: example) }

    /// The value is within the range.
    static func range<Value: FixedWidthInteger>(_ range: ClosedRange<Value>, example: JSON? = nil) -> FieldFact {
        FieldFact(
            keywords: [
                "minimum": .integer(Int64(clamping: range.lowerBound)),
                "maximum": .integer(Int64(clamping: range.upperBound)),
            ], example: example)
    }

    static func range(_ range: ClosedRange<Double>, example: JSON? = nil) -> FieldFact {
        FieldFact(
            keywords: ["minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)], example: example)
    }

    static func atLeast(_ bound: Int64, example: JSON? = nil) -> FieldFact {
        FieldFact(keywords: ["minimum": .integer(bound)], example: example)
    }

    /// The number of characters (Unicode scalars) is within the range.
    static func length(_ range: ClosedRange<Int>, example: JSON? = nil) -> FieldFact {
        FieldFact(
            keywords: ["minLength": .integer(Int64(range.lowerBound)), "maxLength": .integer(Int64(range.upperBound))],
            example: example)
    }

    /// A short text for people that is not blank.
    static let text = FieldFact(
        keywords: length(ModelLimits.textLength).keywords.merging(["pattern": #"\S"#]) { old, _ in old })

    /// A short text for people that may be empty.
    static let optionalText = length(0...ModelLimits.textLength.upperBound)

    static let email = FieldFact(
        keywords: length(ModelLimits.emailLength).keywords
            .merging(["pattern": #"^[^@]+@[^@]+\.[^@]+$"#]) { old, _ in old })

    static let telephone = pattern("^[0-9+() .-]{4,30}$")

    /// The text matches the regular expression (ECMA 262).
    static func pattern(_ pattern: String, example: JSON? = nil) -> FieldFact {
        FieldFact(keywords: ["pattern": .string(pattern)], example: example)
    }

    /// The number of items is within the range.
    static func count(_ range: ClosedRange<Int>) -> FieldFact {
        FieldFact(keywords: [
            "minItems": .integer(Int64(range.lowerBound)), "maxItems": .integer(Int64(range.upperBound)),
        ])
    }
}

/// Example values by the name of a field, which has the same meaning throughout the contract.
enum FieldExamples {
    static let byName: [String: JSON] = [
        "accessToken": "eyJhbGciOiJFUzI1NiJ9.eyJzaWQiOiJzZXNfMDEifQ.c2lnbmF0dXJl",
        "alt": "A ribbed cardigan in navy",
        "amount": 12_900,
        "available": 4,
        "avatarURL": "https://example.com/ann.png",
        "careInstructions": "Wash by hand.",
        "category": "cardigans",
        "city": "Sydney",
        "code": "AUTUMN10",
        "country": "AU",
        "currency": "EUR",
        "currentPassword": "correct horse",
        "declineCode": "insufficient_funds",
        "description": "Warm and light.",
        "discount": "AUTUMN10",
        "distanceMetres": 5_400,
        "driverName": "Matilda",
        "email": "ann@example.com",
        "estimate": "3 to 5 days",
        "field": "address.city",
        "handle": "samphire-cardigan",
        "id": "01jz6b1w8fq0",
        "latitude": -33.87,
        "line1": "1 High Street",
        "line2": "Flat 2",
        "longitude": 151.21,
        "materials": "100% lambswool",
        "methodId": "standard",
        "mobileNumber": "+61 400 000 000",
        "name": "Ann Example",
        "newPassword": "battery staple",
        "nextCursor": "eyJpZCI6InByZF8wMSJ9.bWFj",
        "normal": "/assets/ride/wallaby.svg",
        "number": "P-10001",
        "options": "Navy",
        "password": "correct horse",
        "path": "products/71101-69.svg",
        "phone": "+61 400 000 000",
        "position": 0,
        "postalCode": "2000",
        "productHandle": "samphire-cardigan",
        "quantity": 2,
        "quoteID": "quo_01jz6b1w8fq0.eyJ9.bWFj",
        "refreshToken": "bm90IGEgdG9rZW4",
        "region": "NSW",
        "requestId": "0b6f1c9d2e7a",
        "rideID": "rid_01jz6b1w8fq0",
        "rideId": "rid_01jz6b1w8fq0",
        "rideOptionID": "wallaby",
        "seasonId": "71",
        "selected": "/assets/ride/wallaby-selected.svg",
        "sku": "71101-69-m",
        "styleCode": "71101",
        "tags": "wool",
        "themeId": "711",
        "token": "tok_ok",
        "url": "/assets/products/71101-69.svg",
        "version": 7,
    ]
}
