import Foundation
import PouchEntities

extension OrderSearch {
    /// The order number that the search is for, in the format `P-10001`.
    public var number: String? { text.flatMap { OrderNumbers.number(in: $0) } }

    /// The words that the search is for.
    public var terms: [SearchTerm] {
        let words = number == nil ? text.map { SearchTerm.terms(in: $0) } ?? [] : []
        return words + (sku.map { [.sku($0)] } ?? [])
    }
}

extension Order {
    /// Whether the order still has to be sent, as in `OrderSearch`.
    public var isUnsent: Bool {
        [.paid, .partiallyRefunded].contains(status) && OrderMachine.allows(self, to: .fulfilled)
            && lines.contains { $0.quantity > $0.refundedQuantity }
    }
}

/// A word by which an order or a customer is found, in its stored form.
public struct SearchTerm: Sendable, Hashable {
    /// The maximum number of words of one name.
    private static let words = 8

    public let text: String

    private init(_ kind: String, _ text: String) {
        let bounded = text.unicodeScalars.prefix(ModelLimits.emailLength.upperBound)
        self.text = kind + String(String.UnicodeScalarView(bounded))
    }

    public static func email(_ email: String) -> SearchTerm {
        SearchTerm("e:", email.trimmingCharacters(in: .whitespaces).lowercased())
    }

    public static func sku(_ sku: String) -> SearchTerm { SearchTerm("s:", sku) }

    public var isSKU: Bool { text.hasPrefix("s:") }

    public static func name(_ name: String) -> [SearchTerm] {
        Array(Set(FoldedText.words(in: name).prefix(words).map { SearchTerm("n:", $0) }))
    }

    /// The terms of a search text: an e-mail address, or the words of a name.
    public static func terms(in text: String) -> [SearchTerm] {
        guard !text.contains("@") else { return [email(text)] }
        let words = name(text)
        // A text without words, such as punctuation, must match nothing rather than everything.
        return words.isEmpty ? [SearchTerm("n:", "")] : words
    }

    /// The terms of an order.
    public static func terms(of order: Order) -> [SearchTerm] {
        let names = order.shipping.map { name($0.address.name) } ?? []
        return Array(Set(names + (order.email.map { [email($0)] } ?? []) + order.lines.map { sku($0.sku) }))
    }
}

extension Identifier {
    /// The range of the ids of a kind that were created in a period, with a minute of tolerance: an id is created a
    /// moment before the object's time is read. It is a range of the primary key, so that no index by time is needed.
    public static func ids(_ kind: Kind, from: Date?, until: Date?) -> (first: String?, end: String?) {
        func id(_ date: Date) -> String {
            let milliseconds = UInt64(max(0, date.timeIntervalSince1970 * 1000))
            return text(kind, milliseconds: milliseconds, rest: Array(repeating: 0, count: 10))
        }
        return (from.map { id($0.addingTimeInterval(-60)) }, until.map { id($0.addingTimeInterval(60)) })
    }
}
