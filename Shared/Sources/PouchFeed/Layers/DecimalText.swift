import Foundation

/// A decimal number of a JSON file, written as a number or as a text; its digits are kept, never a floating point value.
struct DecimalText: Decodable, Sendable {
    let text: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do {
            text = try container.decode(String.self).singleLine
        } catch DecodingError.typeMismatch {
            text = try container.decode(Decimal.self).description
        }
    }
}
