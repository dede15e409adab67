import Foundation
import PouchDomain
import PouchEntities
import PouchJSON

/// Converts the JSON before and after a change to a table of fields.
struct AuditChanges {
    /// The maximum number of rows, and of characters in a value: the log keeps long values, but the page shortens them.
    private static let (maxRows, maxCharacters) = (100, 500)
    private static let maxLevels = 6

    let admin: AdminVisit

    /// - Parameters:
    ///   - before: the replaced or deleted values.
    ///   - values: the values that were sent; nil for a deletion, which shows all fields.
    func rows(before: JSON?, values: JSON?) -> [AuditValues.Change] {
        // Entries are stored without secrets, but those of earlier releases may contain one that was recognised later.
        let old = fields(before?.withoutSecrets)
        let new = fields(values?.withoutSecrets)
        let names = new.isEmpty ? old.map(\.name) : new.map(\.name)
        let (before, after) = (Dictionary(old) { first, _ in first }, Dictionary(new) { first, _ in first })
        return names.prefix(Self.maxRows).compactMap { name -> AuditValues.Change? in
            let (old, new) = (before[name] ?? "", after[name] ?? "")
            guard old != new else { return nil }
            return .init(field: name, beforeText: old, afterText: new)
        }
    }

    private func fields(_ json: JSON?) -> [(name: String, text: String)] {
        guard let json else { return [] }
        var fields: [(name: String, text: String)] = []
        collect(json, path: "", level: 0, into: &fields)
        return fields
    }

    private func collect(_ json: JSON, path: String, level: Int, into fields: inout [(name: String, text: String)]) {
        guard fields.count < 2 * Self.maxRows else { return }
        func step(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
        if let text = text(json) {
            fields.append((path.isEmpty ? "value" : path, String(text.prefix(Self.maxCharacters))))
        } else if level >= Self.maxLevels {
            fields.append((path, "…"))
        } else if let members = json.object {
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                collect(value, path: step(name), level: level + 1, into: &fields)
            }
        } else {
            for (index, value) in (json.array ?? []).enumerated() {
                collect(value, path: step(String(index + 1)), level: level + 1, into: &fields)
            }
        }
    }

    /// - Returns: the text; nil for a value with nested fields.
    private func text(_ json: JSON) -> String? {
        switch json {
        case .null: return ""
        case .bool(let isTrue): return isTrue ? "yes" : "no"
        case .integer(let number): return String(number)
        case .number(let number): return String(number)
        case .string(let text): return WireTime.date(text).map(admin.exactTime) ?? text
        case .array(let elements):
            let texts = elements.map { element in element.object == nil && element.array == nil ? text(element) : nil }
            return texts.contains(nil) ? nil : texts.compactMap(\.self).joined(separator: "\n")
        case .object(let members):
            guard members.count == 2, case .integer(let amount)? = members["amount"],
                let currency = members["currency"]?.string.flatMap(Currency.init(code:))
            else { return members.isEmpty ? "" : nil }
            return admin.price(Money(amount, currency))
        }
    }
}
