import PouchWire

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
