import Foundation
import PouchContract
import PouchJSON
import PouchWire

/// Checks values against JSON schemas, with the keywords that the document uses.
struct SchemaChecker {
    let document: JSON
    /// Whether objects may only have the members that their schema names, as with `additionalProperties: false`.
    var isClosed = false

    /// The errors of the value, each with its path. An unknown keyword is an error too.
    func problems(_ value: JSON, _ schema: JSON, at path: String = "$") -> [String] {
        var problems: [String] = []
        for (keyword, argument) in schema.object ?? [:] { problems += check(keyword, argument, value, schema, path) }
        return problems
    }

    private func check(_ keyword: String, _ argument: JSON, _ value: JSON, _ schema: JSON, _ path: String) -> [String] {
        func unless(_ condition: Bool) -> [String] {
            condition ? [] : ["\(path): \(keyword) \(argument), not \(value)"]
        }
        switch keyword {
        case "examples": return []
        case "$ref":
            guard let target = resolve(argument) else { return ["\(path): \(argument) does not resolve"] }
            return problems(value, target, at: path)
        case "type":
            return unless((argument.array ?? [argument]).contains { $0.string.map { isType($0, value) } == true })
        case "const": return unless(value == argument)
        case "enum": return unless(argument.array?.contains(value) == true)
        case "minimum": return unless(number(value).flatMap { value in number(argument).map { value >= $0 } } ?? true)
        case "maximum": return unless(number(value).flatMap { value in number(argument).map { value <= $0 } } ?? true)
        case "minLength", "maxLength":
            return unless(value.string.map { isWithin($0.unicodeScalars.count, keyword, argument) } ?? true)
        case "minItems", "maxItems": return unless(value.array.map { isWithin($0.count, keyword, argument) } ?? true)
        case "pattern":
            guard let text = value.string, let pattern = argument.string else { return [] }
            return unless(text.range(of: pattern, options: .regularExpression) != nil)
        case "format":
            return unless(argument != "date-time" || value.string.map { WireTime.date($0) != nil } ?? true)
        case "items":
            return (value.array ?? []).enumerated().flatMap { problems($1, argument, at: "\(path)[\($0)]") }
        case "allOf": return (argument.array ?? []).flatMap { problems(value, $0, at: path) }
        case "anyOf": return unless((argument.array ?? []).contains { problems(value, $0, at: path).isEmpty })
        case "required":
            return (argument.array ?? []).compactMap(\.string).filter { value.object != nil && value[$0] == nil }
                .map { "\(path): \($0) is missing" }
        case "properties":
            let known = argument.object ?? [:]
            return (value.object ?? [:]).flatMap { name, member in
                if let schema = known[name] { return problems(member, schema, at: "\(path).\(name)") }
                return isClosed ? ["\(path): \(name) is not described"] : []
            }
        case "additionalProperties":
            let known = Set((schema["properties"]?.object ?? [:]).keys)
            return (value.object ?? [:]).filter { !known.contains($0.key) }.flatMap { name, member in
                argument == false
                    ? ["\(path): \(name) is not allowed"] : problems(member, argument, at: "\(path).\(name)")
            }
        default: return ["\(path): unknown keyword \(keyword)"]
        }
    }

    /// - Returns: nil if the reference does not resolve.
    func resolve(_ reference: JSON) -> JSON? {
        reference.string?.split(separator: "/").dropFirst().reduce(Optional(document)) { $0?[String($1)] }
    }

    private func isType(_ type: String, _ value: JSON) -> Bool {
        switch (type, value) {
        case ("null", .null), ("boolean", .bool), ("integer", .integer), ("number", .integer), ("number", .number),
            ("string", .string), ("array", .array), ("object", .object):
            true
        default: false
        }
    }

    private func number(_ value: JSON) -> Double? {
        switch value {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }

    private func isWithin(_ count: Int, _ keyword: String, _ bound: JSON) -> Bool {
        guard let bound = number(bound) else { return false }
        return keyword.hasPrefix("min") ? Double(count) >= bound : Double(count) <= bound
    }
}
