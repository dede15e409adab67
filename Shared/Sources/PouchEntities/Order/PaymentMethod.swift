/// How an order is paid. A token stands for a card that the payment provider knows; card numbers never come here.
public struct PaymentMethod: Codable, Sendable, Hashable {
    public enum Kind: String, Codable, Sendable, CaseIterable {
        case card
    }

    public let type: Kind
    public let token: String

    public static func card(token: String) -> PaymentMethod {
        PaymentMethod(type: .card, token: token)
    }
}
