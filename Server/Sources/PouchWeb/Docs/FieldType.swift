import Foundation
import PouchJSON

/// The type of a field or a parameter in words.
struct FieldType {
    /// `array of` or `map of`, with a space at the end; else empty.
    private(set) var before = ""
    private(set) var name: String
    /// The schema that the name links to.
    private(set) var schema: String?
    private(set) var after = ""

    init(_ json: JSON) {
        if let name = APIDocument.name(referredBy: json) {
            self.name = name
            schema = name
            return
        }
        if let options = json["anyOf"]?.array {
            let types = options.filter { $0["type"] != "null" }
            self = types.first.map { FieldType($0) } ?? FieldType(name: "any JSON")
            if types.count < options.count { after += " or null" }
            return
        }
        let types = json["type"]?.array?.compactMap(\.string) ?? [json["type"]?.string].compactMap { $0 }
        switch types.first {
        case "array":
            self = FieldType(json["items"] ?? [:])
            before = "array of " + before
        case "object":
            if let values = json["additionalProperties"], values.object != nil {
                self = FieldType(values)
                before = "map of " + before
            } else {
                name = "object"
            }
        case "string" where json["format"] == "date-time": name = "time"
        case "string" where json["format"] == "binary": name = "bytes"
        case let type?: name = type
        case nil: name = json["const"] == nil ? "any JSON" : "constant"
        }
        if types.contains("null") { after += " or null" }
    }

    private init(name: String) {
        self.name = name
    }

    /// The bounds of the values, each in words.
    static func bounds(of schema: JSON) -> [String] {
        var bounds: [String] = []
        if let values = schema["enum"]?.array {
            bounds.append("one of " + values.compactMap(\.string).joined(separator: ", "))
        }
        if let constant = schema["const"] { bounds.append(PrettyJSON.line(constant)) }
        if let values = range(schema["minimum"], schema["maximum"]) { bounds.append(values) }
        if schema["minLength"] == 1, schema["maxLength"] == nil {
            bounds.append("not empty")
        } else if let length = range(schema["minLength"], schema["maxLength"]) {
            bounds.append(length + " characters")
        }
        if let count = range(schema["minItems"], schema["maxItems"]) { bounds.append(count + " items") }
        return bounds
    }

    private static func range(_ least: JSON?, _ most: JSON?) -> String? {
        let most = most == JSON.integer(.max) ? nil : most.map(PrettyJSON.line)
        switch (least.map(PrettyJSON.line), most) {
        case (let least?, let most?): return least == most ? least : "\(least) to \(most)"
        case (let least?, nil): return "at least \(least)"
        case (nil, let most?): return "at most \(most)"
        case (nil, nil): return nil
        }
    }
}

/// Writes JSON for people.
enum PrettyJSON {
    /// The value on one line.
    static func line(_ value: JSON) -> String {
        switch value {
        case .object(let members):
            let pairs = members.sorted { $0.key < $1.key }.map { "\(line(.string($0.key))): \(line($0.value))" }
            return "{" + pairs.joined(separator: ", ") + "}"
        case .array(let elements): return "[" + elements.map(line).joined(separator: ", ") + "]"
        case .number(let number) where number == number.rounded() && abs(number) < 1e15: return "\(Int(number))"
        default: return (try? value.json()).map { String(decoding: $0, as: UTF8.self) } ?? "null"
        }
    }

    /// The value on as few lines as are easy to read.
    static func text(_ value: JSON) -> String { lines(value, indentation: "") }

    private static func lines(_ value: JSON, indentation: String) -> String {
        let short = line(value)
        if short.count <= 56, indentation != "" || isFlat(value) { return short }
        let inner = indentation + "  "
        switch value {
        case .object(let members):
            let pairs = members.sorted { $0.key < $1.key }.map { key, value in
                "\(inner)\(line(.string(key))): \(lines(value, indentation: inner))"
            }
            return "{\n" + pairs.joined(separator: ",\n") + "\n\(indentation)}"
        case .array(let elements):
            let items = elements.map { inner + lines($0, indentation: inner) }
            return "[\n" + items.joined(separator: ",\n") + "\n\(indentation)]"
        default: return short
        }
    }

    /// Whether the value has no objects or lists in it.
    private static func isFlat(_ value: JSON) -> Bool {
        switch value {
        case .object(let members): members.values.allSatisfy { $0.object == nil && $0.array == nil }
        case .array(let elements): elements.allSatisfy { $0.object == nil && $0.array == nil }
        default: true
        }
    }
}
