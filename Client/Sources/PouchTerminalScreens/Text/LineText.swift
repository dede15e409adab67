import PouchEntities
import PouchTerminal

extension OrderStatus {
    /// The status as shown to the user.
    public var title: String { look.title }

    fileprivate var look: (title: String, style: Style) {
        switch self {
        case .pending: ("payment pending", .yellow)
        case .paid: ("paid", .green)
        case .fulfilled: ("on its way", .green)
        case .delivered: ("delivered", .green)
        case .cancelled: ("cancelled", .red)
        case .refunded: ("refunded", .red)
        case .partiallyRefunded: ("partly refunded", .yellow)
        case .unrecognised: ("unknown", .plain)
        }
    }
}

extension StyledText {
    public init(_ status: OrderStatus) {
        self.init(status.look.title, status.look.style)
    }
}

// MARK: - Lines

public enum OptionsText {
    /// The values of a variant's options, sorted by the options' names: "Black / S".
    public static func values(_ options: [String: String]) -> String {
        options.sorted { $0.key < $1.key }.map(\.value).joined(separator: " / ")
    }

    /// The name of a variant: "Ribbed Cardigan, Black / S".
    public static func name(_ name: String, _ options: [String: String]) -> String {
        options.isEmpty ? name : "\(name), \(values(options))"
    }
}

/// The two ends of a row with a line of a cart or an order.
enum LineText {
    static func leading(_ line: OrderLine) -> StyledText { leading(line.name, line.options, line.quantity) }

    /// - Parameter quantity: another quantity than the line's, if it is being changed.
    static func leading(_ line: CartLine, quantity: Int? = nil) -> StyledText {
        leading(line.name, line.options, quantity ?? line.quantity)
    }

    private static func leading(_ name: String, _ options: [String: String], _ quantity: Int) -> StyledText {
        StyledText("\(quantity) × ", .dim) + StyledText(OptionsText.name(name, options))
    }

    /// The line's total, preceded by its stock if that is less than its quantity.
    static func trailing(_ line: CartLine) -> StyledText {
        (line.available < line.quantity ? StyledText(stock: line.available) + "  " : "") + StyledText(line.lineTotal)
    }
}

public enum ChangeText {
    /// A sentence about a change that the shop made to a cart.
    ///
    /// - Parameter name: the name of the line.
    public static func sentence(_ change: CartChange, name: String) -> String {
        let quantities = "from \(change.fromQuantity ?? 0) to \(change.toQuantity ?? 0)"
        let prices = "from \(change.fromPrice?.decimal ?? "?") to \(change.toPrice?.decimal ?? "?")"
        return switch change.reason {
        case .priceChanged: "\(name): the price changed \(prices)."
        case .quantityReduced: "\(name): the quantity was reduced \(quantities) because stock is low."
        case .removed: "\(name) is no longer sold and was removed."
        case .merged where change.fromQuantity == 0:
            "\(name): \(change.toQuantity ?? 0) added from the cart that you had as a guest."
        case .merged: "\(name): the quantity changed \(quantities) because the cart that you had as a guest was added."
        case .unrecognised: "\(name): changed."
        }
    }
}
