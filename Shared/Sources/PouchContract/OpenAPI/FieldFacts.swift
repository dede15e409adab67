import PouchEntities

/// A type that says about its fields what `Decodable` cannot tell: bounds, forms, examples.
///
/// The keys are those of the type's JSON. What is said here is published and checked by nobody: the rules keep it.
public protocol FieldsDescribed: Decodable {
    static var fieldFacts: [String: FieldFact] { get }
}

/// What is known of a field beside its type: keywords of JSON Schema, and a value to show.
public struct FieldFact: Sendable {
    var keywords: [String: JSON] = [:]
    /// For a list or a dictionary, that of an element.
    var example: JSON?

    static func example(_ example: JSON) -> FieldFact { FieldFact(example: example) }

    /// The value is within the bounds.
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

    /// The text has so many characters (Unicode scalars).
    static func length(_ range: ClosedRange<Int>, example: JSON? = nil) -> FieldFact {
        FieldFact(
            keywords: ["minLength": .integer(Int64(range.lowerBound)), "maxLength": .integer(Int64(range.upperBound))],
            example: example)
    }

    /// A short text for people, which is not blank.
    static let text = FieldFact(
        keywords: length(ModelLimits.textLength).keywords.merging(["pattern": #"\S"#]) { old, _ in old })

    static let email = FieldFact(
        keywords: length(ModelLimits.emailLength).keywords
            .merging(["pattern": #"^[^@]+@[^@]+\.[^@]+$"#]) { old, _ in old })

    static let telephone = pattern("^[0-9+() .-]{4,30}$")

    /// The text matches; the regular expression is one of ECMA 262.
    static func pattern(_ pattern: String, example: JSON? = nil) -> FieldFact {
        FieldFact(keywords: ["pattern": .string(pattern)], example: example)
    }

    /// The list has so many items.
    static func count(_ range: ClosedRange<Int>) -> FieldFact {
        FieldFact(keywords: [
            "minItems": .integer(Int64(range.lowerBound)), "maxItems": .integer(Int64(range.upperBound)),
        ])
    }
}
