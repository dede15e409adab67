import Foundation
import PouchEntities
import PouchJSON
import PouchWire

/// The fields of a form, and the JSON of the API request that they represent.
///
/// The name of a field specifies its place and its type: `address.line1`, `quantity:int`, `lines.0.sku`. Without a
/// type, the value is a text. The types are:
/// - `int`: a whole number.
/// - `money`: a decimal in the shop's currency.
/// - `percent`: a decimal, which becomes basis points.
/// - `flag`: true, unless the value is `false`, `off` or `0`.
/// - `time`: a time in the shop's time zone.
/// - `lines`: a list of the lines that are not blank.
/// - `list`: a list of the values of all fields with the name.
///
/// A blank text is sent, blank `lines` are an empty list, and a blank value of another type is omitted. A suffix,
/// before the type or at the end, changes that:
/// - `?`: a blank value is omitted.
/// - `!`: a blank value becomes null.
///
/// Numbered entries (`name.0`) that follow an empty list or null replace it, so a form can clear all its checkboxes.
///
/// A browser can send any names and types, so the JSON is checked like that of any other request.
struct FormBody: Sendable {
    /// The maximum number of fields in a form, and of levels in a name. A product has up to 500 variants with
    /// eight fields each.
    static let (maxFields, maxLevels) = (5_000, 6)
    /// The maximum length of a name, in bytes.
    static let longestName = 200

    /// The fields, in the order in which the browser sent them.
    let fields: [QueryString.Item]
    private let names: [FieldName?]
    /// The index of the last field with each name, both with and without its type.
    private let places: [String: Int]

    /// Parses a form; nil if the text is not a form, has too many fields, or has a field with too long a name.
    init?(urlEncoded text: String) {
        // Counts first: a text of only separators has a hundred times as many fields.
        guard text.utf8.count(where: { $0 == UInt8(ascii: "&") }) < Self.maxFields,
            let query = QueryString(parsing: text),
            query.items.allSatisfy({ $0.name.utf8.count <= Self.longestName })
        else { return nil }
        self.init(query.items)
    }

    /// Whether a form may contain the text. As in `QueryString`, it must not contain NUL, or so many consecutive
    /// combining marks that comparing it would take long.
    static func accepts(_ text: String) -> Bool { !text.utf8.contains(0) && !CombiningMarks(in: text).areTooMany }

    init(_ fields: [QueryString.Item]) {
        self.fields = fields
        names = fields.map { FieldName($0.name) }
        var places: [String: Int] = [:]
        for (place, field) in fields.enumerated() {
            places[field.name] = place
            if let path = names[place]?.path { places[path] = place }
        }
        self.places = places
    }

    /// The path in a field's name, without its type and the treatment of blank values; nil without a path.
    static func path(of name: String) -> String? { FieldName(name)?.path }

    /// The last value of a field with this full name, or with this name and a type.
    subscript(_ name: String) -> String? { places[name].map { fields[$0].value } }

    func values(_ name: String) -> [String] {
        fields.indices.filter { fields[$0].name == name || names[$0]?.path == name }.map { fields[$0].value }
    }

    /// Whether the form has a field of the API request, and the field is blank. The form's name may have a prefix
    /// before the field's name, as in `shipping.address.city`.
    func isBlank(_ field: String) -> Bool {
        let entries = fields.indices.filter { place in
            names[place].map { $0.path == field || $0.path.hasSuffix("." + field) } ?? false
        }
        return !entries.isEmpty && entries.allSatisfy { fields[$0].value.allSatisfy(\.isWhitespace) }
    }

    /// The type of the last field with this name; nil without such a field.
    func type(of name: String) -> String? { places[name].flatMap { names[$0]?.type.rawValue } }

    /// The JSON object of all fields, except for the fields that every form has.
    func json(currency: Currency, timeZone: TimeZone) -> JSON {
        var tree = Tree.members([:])
        for (field, name) in zip(fields, names) where !["csrf", "key", "version"].contains(field.name) {
            guard let name, name.steps.count <= Self.maxLevels else { continue }
            guard let value = name.value(field.value, currency: currency, timeZone: timeZone) else { continue }
            tree.set(value, at: name.steps[...], appending: name.type == .list)
        }
        return tree.json
    }

    /// Nested values during assembly. Each value is removed from the tree while it is changed; otherwise, every field
    /// would copy all values of the form.
    private indirect enum Tree {
        case leaf(JSON)
        case members([String: Tree])

        mutating func set(_ value: JSON, at steps: ArraySlice<String>, appending: Bool) {
            guard let step = steps.first else {
                if appending, case .leaf(.array(var elements)) = self, case .array(let new) = value {
                    self = .leaf(.null)
                    elements += new
                    self = .leaf(.array(elements))
                } else {
                    self = .leaf(value)
                }
                return
            }
            guard var members = takeMembers() else { return }
            var child = members.removeValue(forKey: step) ?? (steps.count == 1 ? .leaf(.null) : .members([:]))
            child.set(value, at: steps.dropFirst(), appending: appending)
            members[step] = child
            self = .members(members)
        }

        /// Removes and returns the members of an object; empty for a blank value, nil for any other.
        private mutating func takeMembers() -> [String: Tree]? {
            switch self {
            case .leaf(.null), .leaf(.array([])): return [:]
            case .leaf: return nil
            case .members(let members):
                self = .leaf(.null)
                return members
            }
        }

        var json: JSON {
            switch self {
            case .leaf(let value): return value
            case .members(let members):
                let numbers = members.keys.compactMap { Int($0) }
                guard numbers.count == members.count, !members.isEmpty else {
                    return .object(members.mapValues(\.json))
                }
                return .array(numbers.sorted().compactMap { members[String($0)]?.json })
            }
        }
    }
}

/// The parsed name of a field.
private struct FieldName {
    enum Kind: String {
        case text, int, money, percent, flag, time, lines, list
    }

    let path: String
    let steps: [String]
    let type: Kind
    /// The treatment of a blank value: `?` to omit it, `!` for null, nil for the blank text.
    let blank: Character?

    init?(_ name: String) {
        var rest = name[...]
        var blank = Self.takeBlank(from: &rest)
        if let colon = rest.lastIndex(of: ":"), let type = Kind(rawValue: String(rest[rest.index(after: colon)...])) {
            self.type = type
            rest = rest[..<colon]
        } else {
            type = .text
        }
        blank = blank ?? Self.takeBlank(from: &rest)
        self.blank = blank
        guard !rest.isEmpty else { return nil }
        path = String(rest)
        steps = rest.utf8.split(separator: UInt8(ascii: ".")).map { String(Substring($0)) }
    }

    private static func takeBlank(from rest: inout Substring) -> Character? {
        guard let last = rest.last, "?!".contains(last) else { return nil }
        return rest.removeLast()
    }

    /// - Returns: the value; nil if the field is omitted. A text that does not match the type stays a text, which the
    ///   check refuses.
    func value(_ text: String, currency: Currency, timeZone: TimeZone) -> JSON? {
        let trimmed = Self.trimmed(text)
        if trimmed.isEmpty {
            switch blank {
            case "?": return nil
            case "!": return .null
            default: if ![.text, .lines].contains(type) { return nil }
            }
        }
        switch type {
        // Browsers use CR and LF as line endings.
        case .text: return .string(text.utf8.contains(UInt8(ascii: "\r")) ? text.replacing("\r\n", with: "\n") : text)
        case .int: return Int64(trimmed).map(JSON.integer) ?? .string(text)
        case .money: return Money(typed: trimmed, currency: currency).map(Self.json) ?? .string(text)
        case .percent: return Int64(typed: trimmed, places: 2).map(JSON.integer) ?? .string(text)
        case .flag: return .bool(!["false", "off", "0"].contains(trimmed))
        case .time: return LocalTime(trimmed, in: timeZone).map { .string(WireTime.text($0.date)) } ?? .string(text)
        case .lines:
            return .array(
                text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }
                    .filter { !$0.isEmpty }.map(JSON.string))
        case .list: return .array([.string(text)])
        }
    }

    /// The text without surrounding whitespace. Few texts have any, and a search by Unicode rules takes long.
    private static func trimmed(_ text: String) -> String {
        let visible = UInt8(ascii: "!")...UInt8(ascii: "~")
        guard let first = text.utf8.first, let last = text.utf8.last, visible ~= first, visible ~= last else {
            return text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        return text
    }

    private static func json(_ money: Money) -> JSON {
        ["amount": .integer(money.amount), "currency": .string(money.currency.code)]
    }
}

/// The fields of one item in a list, such as `images.2.alt`, by the rest of their names.
struct FormRow: Sendable {
    /// The number in the names of the item's fields. The numbers in a list may have gaps, and do not define its order.
    let number: Int
    let fields: FormBody

    subscript(_ name: String) -> String { fields[name] ?? "" }

    /// Whether the item's checkbox to remove it is ticked.
    var isRemoved: Bool { fields["remove"] != nil }
    /// Whether all of the item's inputs are empty.
    var isBlank: Bool { fields.fields.allSatisfy { $0.value.allSatisfy(\.isWhitespace) } }
}

extension FormBody {
    /// The items of a list, sorted by their places, which people can change, or else by their numbers.
    ///
    /// - Parameters:
    ///   - most: the limit of the list. If there are more items, one extra is returned, so the API refuses the form.
    ///   - isIncluded: whether to include an item; by default, one that is not removed.
    func rows(
        of list: String, atMost most: Int, where isIncluded: (FormRow) -> Bool = { !$0.isRemoved }
    ) -> [FormRow] {
        var items: [Int: [QueryString.Item]] = [:]
        for field in fields where field.name.hasPrefix(list + ".") {
            let parts = field.name.dropFirst(list.count + 1).split(separator: ".", maxSplits: 1)
            guard parts.count == 2, let number = Int(parts[0]) else { continue }
            items[number, default: []].append(.init(name: String(parts[1]), value: field.value))
        }
        let rows = items.map { FormRow(number: $0, fields: FormBody($1)) }.filter(isIncluded)
        func place(_ row: FormRow) -> (Int, Int) { (Int(row["place"]) ?? .max, row.number) }
        return Array(rows.sorted { place($0) < place($1) }.prefix(most + 1))
    }

    /// The form without the fields, lists and objects with one of the names.
    func without(_ names: Set<String>) -> FormBody { FormBody(fields.filter { !names.contains(Self.first(of: $0)) }) }

    /// The form with only the fields, lists and objects with one of the names.
    func only(_ names: Set<String>) -> FormBody { FormBody(fields.filter { names.contains(Self.first(of: $0)) }) }

    /// The first part of a field's name.
    private static func first(of field: QueryString.Item) -> String {
        String((path(of: field.name) ?? "").prefix { $0 != "." })
    }
}

/// A time in a form field: `2027-01-31T09:30` in the shop's time zone, as `datetime-local` sends it.
struct LocalTime {
    let date: Date

    init(_ date: Date) {
        self.date = date
    }

    /// Parses a time; nil for any other text, and for a day that does not exist.
    ///
    /// - Parameter text: a time, optionally with seconds, or a full time with its own offset.
    init?(_ text: String, in timeZone: TimeZone) {
        let whole = text.count == "2027-01-31T09:30".count ? text + ":00" : text
        guard let date = WireTime.date(whole, Self.forms(timeZone)) ?? WireTime.date(text) else { return nil }
        self.date = date
    }

    /// The text for the value of a field. Omits the seconds if they are zero.
    func text(in timeZone: TimeZone) -> String {
        let whole = Self.forms(timeZone)[0].format(date)
        return whole.hasSuffix(":00") ? String(whole.dropLast(3)) : whole
    }

    private static func forms(_ timeZone: TimeZone) -> [Date.ISO8601FormatStyle] {
        let day = Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day()
        return [day.time(includingFractionalSeconds: false), day.time(includingFractionalSeconds: true)]
    }
}
