import PouchEntities
import PouchJSON

/// A type that describes its fields beyond their JSON types: bounds, patterns, examples.
///
/// The keys are those of the type's JSON. `/openapi.json` publishes these facts; the shop's rules enforce them.
public protocol FieldsDescribed {
    static var fieldFacts: [String: FieldFact] { get }
}

/// Keywords of JSON Schema and an example value for a field.
public struct FieldFact: Sendable {
    package var keywords: [String: JSON] = [:]
    /// The example value; for a list or dictionary, the example of an element.
    package var example: JSON?

    package init(keywords: [String: JSON] = [:], example: JSON? = nil) {
        self.keywords = keywords
        self.example = example
    }

    static func example(_ example: JSON) -> FieldFact { FieldFact(example: example) }

    /// The value is within the range.
    static func range<Value: FixedWidthInteger>(_ range: ClosedRange<Value>, example: JSON? = nil) -> FieldFact {
        bounds("minimum", "maximum", range, example: example)
    }

    static func range(_ range: ClosedRange<Double>, example: JSON? = nil) -> FieldFact {
        FieldFact(
            keywords: ["minimum": .number(range.lowerBound), "maximum": .number(range.upperBound)], example: example)
    }

    static func atLeast(_ bound: Int64, example: JSON? = nil) -> FieldFact {
        FieldFact(keywords: ["minimum": .integer(bound)], example: example)
    }

    /// The number of characters (Unicode scalars) is within the range.
    package static func length(_ range: ClosedRange<Int>, example: JSON? = nil) -> FieldFact {
        bounds("minLength", "maxLength", range, example: example)
    }

    /// A short text that is not blank.
    static let text = FieldFact(
        keywords: length(ModelLimits.textLength).keywords.merging(["pattern": #"\S"#]) { old, _ in old })

    /// A short text that may be empty.
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
        bounds("minItems", "maxItems", range)
    }

    private static func bounds<Value: FixedWidthInteger>(
        _ least: String, _ most: String, _ range: ClosedRange<Value>, example: JSON? = nil
    ) -> FieldFact {
        let (lower, upper) = (Int64(clamping: range.lowerBound), Int64(clamping: range.upperBound))
        return FieldFact(keywords: [least: .integer(lower), most: .integer(upper)], example: example)
    }
}
