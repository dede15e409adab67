import PouchWire

/// The fields of one item of a list, such as `images.2.alt`, under the rest of their names.
struct FormRow: Sendable {
    /// As in the names of the item's fields. The numbers of a list may have gaps, and say nothing of its order.
    let number: Int
    let fields: FormBody

    subscript(_ name: String) -> String { fields[name] ?? "" }

    /// Whether the item's box for taking it away is checked.
    var isRemoved: Bool { fields["remove"] != nil }
    /// Whether the visitor has left all of its inputs empty.
    var isBlank: Bool { fields.fields.allSatisfy { $0.value.allSatisfy(\.isWhitespace) } }
}

extension FormBody {
    /// The items of a list in the order of their places, which people may change, or else of their numbers.
    ///
    /// - Parameters:
    ///   - most: the limit of the list. Of more items, one stays, for which the API refuses the form.
    ///   - isMeant: whether an item counts; by default one that stays.
    func rows(
        of list: String, atMost most: Int, where isMeant: (FormRow) -> Bool = { !$0.isRemoved }
    ) -> [FormRow] {
        var items: [Int: [QueryString.Item]] = [:]
        for field in fields where field.name.hasPrefix(list + ".") {
            let parts = field.name.dropFirst(list.count + 1).split(separator: ".", maxSplits: 1)
            guard parts.count == 2, let number = Int(parts[0]) else { continue }
            items[number, default: []].append(.init(name: String(parts[1]), value: field.value))
        }
        let rows = items.map { FormRow(number: $0, fields: FormBody($1)) }.filter(isMeant)
        func place(_ row: FormRow) -> (Int, Int) { (Int(row["place"]) ?? .max, row.number) }
        return Array(rows.sorted { place($0) < place($1) }.prefix(most + 1))
    }

    /// The form without some of its fields, and without those of lists and objects with one of the names.
    func without(_ names: Set<String>) -> FormBody { FormBody(fields.filter { !names.contains(Self.first(of: $0)) }) }

    /// The form with those fields, lists and objects alone that have one of the names.
    func only(_ names: Set<String>) -> FormBody { FormBody(fields.filter { names.contains(Self.first(of: $0)) }) }

    /// The first step of a field's name.
    private static func first(of field: QueryString.Item) -> String {
        String(field.name.prefix { !".:?!".contains($0) })
    }
}
