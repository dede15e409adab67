import Foundation
import PouchContract
import PouchEntities
import PouchWire

// The bounds of the model that a test shop checks in the bodies of requests.

extension FieldProblem {
    private static func outOfRange(_ field: String, _ range: ClosedRange<Int>) -> FieldProblem {
        FieldProblem(
            field: field, code: "out_of_range",
            detail: "\(field) must be from \(range.lowerBound) to \(range.upperBound).")
    }

    static func quantity(_ field: String, _ quantity: Int) -> [FieldProblem] {
        ModelLimits.quantity.contains(quantity) ? [] : [outOfRange(field, ModelLimits.quantity)]
    }

    private static func wrongLength(_ field: String, _ name: String, _ range: ClosedRange<Int>) -> FieldProblem {
        FieldProblem(
            field: field, code: "out_of_range",
            detail: "\(name) must have \(range.lowerBound) to \(range.upperBound) characters.")
    }

    static func password(_ field: String, _ password: String) -> [FieldProblem] {
        let range = ModelLimits.passwordLength
        return range.contains(password.unicodeScalars.count) ? [] : [wrongLength(field, "The password", range)]
    }

    static func text(_ field: String, _ text: String?) -> [FieldProblem] {
        guard let text else { return [] }
        let isGood = ModelLimits.textLength.contains(text.unicodeScalars.count) && !text.allSatisfy(\.isWhitespace)
        return isGood ? [] : [wrongLength(field, field, ModelLimits.textLength)]
    }

    static func email(_ email: String?) -> [FieldProblem] {
        guard let email, EmailAddress.normalized(email) == nil else { return [] }
        let detail = "Enter an e-mail address such as name@example.com."
        return [FieldProblem(field: "email", code: "invalid", detail: detail)]
    }

    static func telephone(_ number: String?) -> [FieldProblem] {
        guard let number, number.wholeMatch(of: /[0-9+() .-]{4,30}/) == nil else { return [] }
        return [FieldProblem(field: "mobileNumber", code: "invalid", detail: "Enter a valid phone number.")]
    }

    static func address(_ address: Address, prefix: String = "") -> [FieldProblem] {
        var problems: [FieldProblem] = []
        for (field, value) in [
            ("name", address.name), ("line1", address.line1), ("line2", address.line2), ("region", address.region),
            ("phone", address.phone),
        ] {
            problems += text(prefix + field, value)
        }
        for (field, value, isNeeded) in [
            ("city", address.city, Country.needsCity(address.country)),
            ("postalCode", address.postalCode, Country.needsPostalCode(address.country)),
        ] where isNeeded || !value.isEmpty {
            let missing = FieldProblem(field: prefix + field, code: "required", detail: "\(prefix + field) is missing.")
            problems += value.isEmpty ? [missing] : text(prefix + field, value)
        }
        if !Country.codes.contains(address.country) {
            let detail = "The country must be a two-letter ISO 3166-1 code in capital letters, such as DE."
            problems.append(FieldProblem(field: prefix + "country", code: "invalid", detail: detail))
        }
        return problems + point(prefix + "location", address.location)
    }

    static func point(_ field: String, _ point: GeoPoint?) -> [FieldProblem] {
        guard let point, !(-90...90).contains(point.latitude) || !(-180...180).contains(point.longitude) else {
            return []
        }
        let detail = "Latitude must be from -90 to 90, and longitude from -180 to 180."
        return [FieldProblem(field: field, code: "out_of_range", detail: detail)]
    }
}

extension [FieldProblem] {
    func check() throws(Refusal) {
        guard isEmpty else { throw Refusal(self) }
    }
}

extension String {
    /// The form that is unique among accounts; the text itself if it is not an address.
    var normalizedEmail: String { EmailAddress.normalized(self) ?? self }
}
